-- SPDX-License-Identifier: GPL-2.0-or-later
.bail off
.shell read -r _ <gate
.headers on
create table t(id integer primary key, name text, n real);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 300)
insert into t select x, 'name ' || (x * 7919 % 1000), x / 3.0 from c;
create index by_name on t(name);
select count(*), count(distinct name), round(sum(n), 3) from t;
explain query plan select * from t where name = 'name 7';
select * from t where name = 'name 7';
begin;
update t set n = n * 2 where id % 3 = 0;
savepoint s;
delete from t where id > 100;
rollback to s;
commit;
select round(avg(n), 4), max(id) from t;
create view v as select name, count(*) as c from t group by name;
select * from v order by c desc, name limit 5;
create trigger g after delete on t begin insert into log values(old.id); end;
create table log(id);
delete from t where id between 10 and 20;
select group_concat(id) from log;
insert into t values(1, 'twice', 0);
select nothing from nowhere;
select json_extract('{"a":[1,2,{"b":3}]}', '$.a[2].b');
select name, row_number() over (partition by substr(name, 6, 1) order by id) as r
from t where id < 30 order by id;
.mode csv
.output exported.csv
select * from t order by id;
.output
.import exported.csv back
.mode list
select count(*) from back;
.shell echo from a shell
.once '|sort -r | head -2'
select id from t where id < 10;
.backup copy.db
.schema
.dump log
pragma integrity_check;
vacuum;
select sum(length(hex(randomblob(100)))) from t;
.exit 7
