# SPDX-License-Identifier: GPL-2.0-or-later
# One query of ActiveRecord.
require 'active_record'
ActiveRecord::Base.establish_connection(adapter: 'sqlite3', database: ':memory:')
ActiveRecord::Base.connection.execute('CREATE TABLE books(id INTEGER PRIMARY KEY, title TEXT)')
class Book < ActiveRecord::Base
end
def find
  Book.where(title: 'x').to_a
end
find
