# SPDX-License-Identifier: GPL-2.0-or-later
"""Django, for gunicorn; see service.py. DRIVER: mysqldb, pymysql, psycopg2."""
import json
import os
import time

from django.conf import settings
from django.http import HttpResponse
from django.urls import path

if os.environ['DRIVER'] == 'pymysql':
    import pymysql
    pymysql.version_info = 1, 4, 6, 'final', 0
    pymysql.install_as_MySQLdb()
MYSQL = {'ENGINE': 'django.db.backends.mysql', 'NAME': 'xtrace',
         'USER': 'root', 'CONN_MAX_AGE': 600,
         'OPTIONS': {'unix_socket': os.environ.get('MARIADB_SOCKET')}}
PG = {'ENGINE': 'django.db.backends.postgresql', 'NAME': 'postgres',
      'USER': 'xtrace', 'HOST': os.environ.get('PGHOST'), 'CONN_MAX_AGE': 600}
settings.configure(
    DATABASES={'default': PG if os.environ['DRIVER'] == 'psycopg2' else MYSQL},
    ROOT_URLCONF=__name__, SECRET_KEY='none', ALLOWED_HOSTS=['*'])

import django
django.setup()
from django.db import connection, models


class Book(models.Model):
    title = models.CharField(max_length=40)

    class Meta:
        app_label = 'books'
        db_table = 'book'


def title_of(word, number):
    books = Book.objects.extra(where=[f"'{word}' = '{word}'"])
    return books.get(id=number).title  # ORM-LINE


def sleep(sql):
    with connection.cursor() as cursor:
        began = time.perf_counter()
        cursor.execute(sql)  # SLOW-LINE
        cursor.fetchall()
        return time.perf_counter() - began


def page(request, word, number):
    titles = [title_of(word, number + i) for i in range(3)]
    sql = request.GET.get('sleep')
    return HttpResponse(json.dumps([titles, sleep(sql) if sql else 0]))


urlpatterns = [path('<str:word>/<int:number>', page)]

from django.core.wsgi import get_wsgi_application
application = get_wsgi_application()
