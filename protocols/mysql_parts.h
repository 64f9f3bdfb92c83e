/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts that the files for the questions (mysql.c), the answers
 * (mysql_answer.c) and the detection (mysql_detect.c) share. Private to this
 * room.
 */
#ifndef PROTOCOLS_MYSQL_PARTS_H
#define PROTOCOLS_MYSQL_PARTS_H

#include "protocols/mysql.h"

enum { MYSQL_HEADER = 4 }; /* bytes before a packet's body */

/* A body of this length is continued in the next packet ("Sending More Than
 * 16Mb"). */
enum { MYSQL_PACKET_FULL = 0xffffff };

/* Commands ("Command Phase"). 0xfa is a command of MariaDB only. */
enum mysql_command {
	MYSQL_QUIT = 0x01,
	MYSQL_INIT_DB = 0x02,
	MYSQL_QUERY = 0x03,
	MYSQL_FIELD_LIST = 0x04,
	MYSQL_STATISTICS = 0x09,
	MYSQL_PROCESS_INFO = 0x0a,
	MYSQL_CHANGE_USER = 0x11,
	MYSQL_BINLOG_DUMP = 0x12,
	MYSQL_STMT_PREPARE = 0x16,
	MYSQL_STMT_EXECUTE = 0x17,
	MYSQL_STMT_SEND_LONG_DATA = 0x18,
	MYSQL_STMT_CLOSE = 0x19,
	MYSQL_STMT_FETCH = 0x1c,
	MYSQL_BINLOG_DUMP_GTID = 0x1e,
	MYSQL_RESET_CONNECTION = 0x1f,
	MYSQL_STMT_BULK_EXECUTE = 0xfa,
};

/* The kind of answer that a command has. */
enum mysql_shape {
	/* no answer is known, because this is no command */
	MYSQL_SHAPE_UNKNOWN,
	MYSQL_SHAPE_NONE,
	MYSQL_SHAPE_OK, /* one packet: OK, EOF or an error */
	MYSQL_SHAPE_RESULT,
	MYSQL_SHAPE_PREPARED,
	MYSQL_SHAPE_UNTIL_EOF,
	MYSQL_SHAPE_ONE, /* one packet of any kind */
	MYSQL_SHAPE_ENDLESS,
};

enum mysql_shape mysql_shape(unsigned char command);

/* Flags of the client's capabilities ("Capabilities Flags"). */
enum {
	MYSQL_CAN_DATABASE = 1 << 3, /* the login names a database */
	MYSQL_CAN_COMPRESS = 1 << 5,
	MYSQL_CAN_PROTOCOL_41 = 1 << 9,
	MYSQL_CAN_SSL = 1 << 11,
	MYSQL_CAN_SECURE = 1 << 15, /* a length is before the password */
	MYSQL_CAN_LENENC = 1 << 21, /* that length may have several bytes */
	MYSQL_CAN_ZSTD = 1 << 26,
};

/* Length of a Protocol::SSLRequest, which is also the beginning of a
 * Protocol::HandshakeResponse41. */
enum { MYSQL_LOGIN_FIXED = 32 };

static inline uint32_t
mysql_u16(const unsigned char *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
}

static inline uint32_t
mysql_u24(const unsigned char *bytes)
{
	return mysql_u16(bytes) | (uint32_t)bytes[2] << 16;
}

static inline uint32_t
mysql_u32(const unsigned char *bytes)
{
	return mysql_u24(bytes) | (uint32_t)bytes[3] << 24;
}

#endif
