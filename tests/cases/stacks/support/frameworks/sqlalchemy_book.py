# SPDX-License-Identifier: GPL-2.0-or-later
"""One query of SQLAlchemy's ORM."""
from sqlalchemy import Column, Integer, String, create_engine, select
from sqlalchemy.orm import Session, declarative_base

Base = declarative_base()


class Book(Base):
    __tablename__ = 'book'

    id = Column(Integer, primary_key=True)
    title = Column(String)


def find(session):
    return session.query(Book).filter_by(title='x').all()


engine = create_engine('sqlite://')
Base.metadata.create_all(engine)
with Session(engine) as session:
    find(session)
