# SPDX-License-Identifier: GPL-2.0-or-later
# One query of DBIx::Class.
package Shop::Book;
use base 'DBIx::Class::Core';
__PACKAGE__->table('book');
__PACKAGE__->add_columns(qw(id title));
__PACKAGE__->set_primary_key('id');
package Shop;
use base 'DBIx::Class::Schema';
__PACKAGE__->register_class(Book => 'Shop::Book');
package main;
my $shop = Shop->connect('dbi:SQLite:dbname=:memory:');
$shop->storage->dbh->do('CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT)');
sub find {
	return $shop->resultset('Book')->search({ title => 'x' })->all;
}
find();
