# SPDX-License-Identifier: GPL-2.0-or-later
# Authors and their books, with ActiveRecord, as an application of Rack.
require 'active_record'

ActiveRecord::Base.establish_connection(adapter: 'sqlite3',
                                        database: ENV['BASE'])

class Author < ActiveRecord::Base
  self.table_name = 'author'
end

class Book < ActiveRecord::Base
  self.table_name = 'book'
end

def authors
  Author.all.to_a.flat_map do |author|
    Book.where(author_id: author.id).to_a.map do |book|
      "#{author.name}: #{book.title}"
    end
  end
end

run(lambda do |env|
  found = %r{^/book/(\d+)}.match(env['PATH_INFO'])
  text = ActiveRecord::Base.connection_pool.with_connection do
    found ? Book.find(found[1]).title : authors.join("\n")
  end
  [200, { 'Content-Type' => 'text/plain' }, [text]]
end)
