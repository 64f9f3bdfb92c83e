# SPDX-License-Identifier: GPL-2.0-or-later
# One query of Sequel.
require 'sequel'
base = Sequel.sqlite
base.create_table(:book) { primary_key :id; String :title }
def find(base)
  base[:book].where(title: 'x').all
end
find(base)
