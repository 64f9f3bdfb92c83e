/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dynamic section is an array of (tag, value) up to DT_NULL. Values that
 * are addresses are the file's own addresses (gABI 5, "Dynamic Section").
 *
 * It does not contain the number of symbols. DT_HASH has one chain link for
 * each symbol. DT_GNU_HASH has only the defined symbols, sorted into buckets
 *
 *	buckets, first, bloom_words, shift
 *	bloom[bloom_words]	as wide as an address
 *	bucket[buckets]		the first symbol of a chain, 0 if empty
 *	chain[]			hash of symbol first + i, bit 0 ends a chain
 *
 * so the number is one more than the last index in the chain that starts last.
 */
#include "symbols/dynamic.h"

#include <string.h>

static size_t
entry_size(const struct elf *elf)
{
	return elf_narrow(elf) ? sizeof(Elf32_Dyn) : sizeof(Elf64_Dyn);
}

static Elf64_Dyn
entry_at(const struct elf *elf, const uint8_t *bytes, size_t i)
{
	Elf64_Dyn entry;
	Elf32_Dyn narrow;

	if (elf_narrow(elf)) {
		memcpy(&narrow, bytes + i * sizeof(narrow), sizeof(narrow));
		entry.d_tag = narrow.d_tag;
		entry.d_un.d_val = narrow.d_un.d_val;
	} else {
		memcpy(&entry, bytes + i * sizeof(entry), sizeof(entry));
	}
	return entry;
}

bool
dynamic_value(const struct elf *elf, int64_t tag, uint64_t *ret_value)
{
	struct bytes bytes;

	if (!elf->dynamic)
		return false;
	bytes = elf_bytes(elf, elf->dynamic, elf->dynamic_size);
	for (size_t i = 0; i < bytes.count / entry_size(elf); i++) {
		Elf64_Dyn entry = entry_at(elf, bytes.at, i);

		if (entry.d_tag == DT_NULL)
			break;
		if (entry.d_tag != tag)
			continue;
		*ret_value = entry.d_un.d_val;
		return true;
	}
	return false;
}

struct bytes
dynamic_table(const struct elf *elf, int64_t tag, uint64_t most)
{
	uint64_t address;

	if (!dynamic_value(elf, tag, &address))
		return (struct bytes){ 0 };
	return elf_bytes(elf, address, most);
}

struct strings
dynamic_strings(const struct elf *elf)
{
	struct bytes bytes;
	uint64_t size;

	if (!dynamic_value(elf, DT_STRSZ, &size))
		return (struct strings){ 0 };
	bytes = dynamic_table(elf, DT_STRTAB, size);
	return strings_of(bytes.at, bytes.count);
}

/* The table of a large library has some hundred KiB. Only the part with the
 * string is read. */
const char *
dynamic_string(const struct elf *elf, uint64_t offset)
{
	uint64_t table, size, most = 64;
	struct bytes bytes;

	if (!dynamic_value(elf, DT_STRTAB, &table) ||
	    !dynamic_value(elf, DT_STRSZ, &size) || offset >= size ||
	    elf_segment(elf, table) != elf_segment(elf, table + offset))
		return NULL;
	do {
		most = most < size - offset ? most : size - offset;
		bytes = elf_bytes(elf, table + offset, most);
		if (bytes.at && memchr(bytes.at, 0, bytes.count))
			return (const char *)bytes.at;
		most *= 4;
	} while (bytes.count == most / 4 && bytes.count < size - offset);
	return NULL;
}

addr_t
dynamic_got(const struct elf *elf)
{
	uint64_t address;

	return dynamic_value(elf, DT_PLTGOT, &address) ? address : 0;
}

/* ---- hash tables ---------------------------------------------------------*/

static uint32_t
word_at(const uint8_t *bytes, size_t i)
{
	uint32_t word;

	memcpy(&word, bytes + i * sizeof(word), sizeof(word));
	return word;
}

/*
 * False if no symbol has this hash, according to the Bloom filter: for each
 * symbol, two bits are set in the word that the symbol's hash chooses. The
 * loader, too, looks at these bits first.
 */
static bool
bloom_has(const struct elf *elf, uint32_t hash)
{
	const struct gnu_hash *table = &elf->gnu_hash;
	const unsigned size = elf->arch->word, bits = 8 * size;
	const unsigned log = size == sizeof(uint64_t) ? 6 : 5;
	const uint64_t word =
		elf_address(elf, table->bloom + (hash >> log &
						 (table->bloom_count - 1)) *
							size);

	return word >> (hash & (bits - 1)) &
	       word >> (hash >> table->bloom_shift & (bits - 1)) & 1;
}

/* The end of the last chain: one more than the number of its last symbol. */
static uint64_t
find_end(const struct elf *elf, const struct gnu_hash *hash, addr_t chains)
{
	uint32_t last = 0;

	for (size_t i = 0; i < hash->bucket_count; i++)
		if (word_at(hash->buckets, i) > last)
			last = word_at(hash->buckets, i);
	for (uint64_t end = last; end >= hash->first; end++) {
		const uint8_t *word =
			elf_span(elf, chains + (end - hash->first) * 4, 4);

		if (!word)
			return end;
		if (word_at(word, 0) & 1)
			return end + 1;
	}
	return hash->first;
}

void
dynamic_read_hash(struct elf *elf)
{
	const struct bytes head = dynamic_table(elf, DT_GNU_HASH, 16);
	struct gnu_hash hash;
	uint64_t bloom, buckets, chains, end;

	if (head.count < 16 || !dynamic_value(elf, DT_GNU_HASH, &bloom))
		return;
	hash.bucket_count = word_at(head.at, 0);
	hash.first = word_at(head.at, 1);
	hash.bloom_count = word_at(head.at, 2);
	hash.bloom_shift = word_at(head.at, 3);
	bloom += 16;
	buckets = bloom + hash.bloom_count * (uint64_t)elf->arch->word;
	hash.bloom = elf_span(elf, bloom, buckets - bloom);
	/* The loaders, too, take the number of words for a power of two. */
	if (!hash.bloom || hash.bloom_shift >= 32 ||
	    hash.bloom_count & (hash.bloom_count - 1))
		hash.bloom_count = 0;
	chains = buckets + hash.bucket_count * sizeof(uint32_t);
	hash.buckets = elf_span(elf, buckets, chains - buckets);
	if (!hash.buckets)
		return;
	end = find_end(elf, &hash, chains);
	hash.chains = elf_span(elf, chains, (end - hash.first) * 4);
	if (end > UINT32_MAX || (!hash.chains && end > hash.first))
		return;
	hash.end = (uint32_t)end;
	elf->gnu_hash = hash;
}

size_t
dynamic_symbol_count(const struct elf *elf)
{
	const struct bytes hash = dynamic_table(elf, DT_HASH, 8);

	return hash.count == 8 ? word_at(hash.at, 1) : elf->gnu_hash.end;
}

bool
dynamic_next_hashed(const struct elf *elf, uint32_t hash, uint32_t *index)
{
	const struct gnu_hash *table = &elf->gnu_hash;
	uint32_t at = *index + 1;

	if (!*index && table->bloom_count && !bloom_has(elf, hash))
		return false;
	if (!*index)
		at = word_at(table->buckets, hash % table->bucket_count);
	else if (word_at(table->chains, *index - table->first) & 1)
		return false;
	for (; at >= table->first && at < table->end; at++) {
		uint32_t word = word_at(table->chains, at - table->first);

		if ((word | 1) == (hash | 1)) {
			*index = at;
			return true;
		}
		if (word & 1)
			return false;
	}
	return false;
}

bool
dynamic_may_export(const struct elf *elf, const char *name)
{
	uint32_t index = 0;

	return !elf->gnu_hash.bucket_count ||
	       dynamic_next_hashed(elf, gnu_hash(name), &index);
}
