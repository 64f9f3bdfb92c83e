# SPDX-License-Identifier: GPL-2.0-or-later
"""One query of Django's models."""
import django
from django.conf import settings
from django.db import connection, models

settings.configure(DATABASES={'default': {
    'ENGINE': 'django.db.backends.sqlite3', 'NAME': ':memory:'}})
django.setup()


class Book(models.Model):
    title = models.CharField(max_length=20)

    class Meta:
        app_label = 'book'


def find():
    return list(Book.objects.filter(title='x'))


with connection.schema_editor() as editor:
    editor.create_model(Book)
find()
