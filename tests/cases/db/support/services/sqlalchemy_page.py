# SPDX-License-Identifier: GPL-2.0-or-later
"""SQLAlchemy, for gunicorn; see service.py. DRIVER: mysqldb, pymysql,
psycopg2."""
import json
import os
import time
import urllib.parse

from sqlalchemy import Column, Integer, String, create_engine, text
from sqlalchemy.orm import Session, declarative_base

DRIVER = os.environ['DRIVER']
if DRIVER == 'psycopg2':
    URL = f'postgresql+psycopg2://xtrace@/postgres?host={os.environ["PGHOST"]}'
else:
    URL = (f'mysql+{DRIVER}://root@/xtrace?unix_socket='
           f'{os.environ["MARIADB_SOCKET"]}')
engine = create_engine(URL)
Base = declarative_base()


class Book(Base):
    __tablename__ = 'book'
    id = Column(Integer, primary_key=True)
    title = Column(String(40))


def title_of(session, word, number):
    books = session.query(Book).filter(text(f"'{word}' = '{word}'"))
    return books.filter(Book.id == number).one().title  # ORM-LINE


def sleep(session, sql):
    began = time.perf_counter()
    session.execute(text(sql)).fetchall()  # SLOW-LINE
    return time.perf_counter() - began


def application(environ, start_response):
    _, word, number = environ['PATH_INFO'].split('/')
    query = urllib.parse.parse_qs(environ['QUERY_STRING'])
    with Session(engine) as session:
        titles = [title_of(session, word, int(number) + i) for i in range(3)]
        took = sleep(session, query['sleep'][0]) if query else 0
    start_response('200 OK', [('Content-Type', 'application/json')])
    return [json.dumps([titles, took]).encode()]
