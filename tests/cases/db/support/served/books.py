# SPDX-License-Identifier: GPL-2.0-or-later
"""A site of Django in one file: authors and their books, in SQLite. The page
/authors asks for the books of each author in turn."""
import os

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection, models
from django.http import HttpResponse
from django.urls import path

settings.configure(
    ALLOWED_HOSTS=['*'], ROOT_URLCONF=__name__, SECRET_KEY='x', DEBUG=False,
    DATABASES={'default': {'ENGINE': 'django.db.backends.sqlite3',
                           'NAME': os.environ['BASE']}})
django.setup()


class Author(models.Model):
    name = models.CharField(max_length=20)

    class Meta:
        app_label = 'books'
        db_table = 'author'


class Book(models.Model):
    author = models.ForeignKey(Author, models.CASCADE)
    title = models.CharField(max_length=20)

    class Meta:
        app_label = 'books'
        db_table = 'book'


def authors(request):
    lines = []
    for author in Author.objects.all():
        for one in Book.objects.filter(author=author):
            lines.append(f'{author.name}: {one.title}')
    return HttpResponse('\n'.join(lines))


def book(request, number):
    return HttpResponse(Book.objects.get(pk=number).title)


urlpatterns = [path('authors', authors), path('book/<int:number>', book)]
connection.close()
application = get_wsgi_application()
