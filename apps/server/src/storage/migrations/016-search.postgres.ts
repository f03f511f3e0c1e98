import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file
// instead. What 016-search does on SQLite, on PostgreSQL.

// Erased rows must not stay in the pages of the table.
const VACUUM_SOON = `autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 0`;

const STATEMENTS = [
  `create table search_rooms (
    number bigint primary key,
    chatroom_id text collate "C" not null
      constraint search_rooms_chatroom unique references chatrooms (id) on delete cascade,
    indexed_seq bigint not null
  )`,

  `create table search_blocks (
    id bigint primary key,
    text text collate "C" not null,
    kinds bigint not null,
    is_outdated bigint not null
      constraint search_blocks_is_outdated check (is_outdated in (0, 1))
  ) with (${VACUUM_SOON}, toast.autovacuum_vacuum_scale_factor = 0,
    toast.autovacuum_vacuum_threshold = 0)`,
  `create index search_blocks_outdated on search_blocks (id) where is_outdated = 1`,
  `create index search_blocks_kinds on search_blocks (id, kinds) where kinds > 0`,

  // Pages with free space let an update of the masks stay on its page, without index entries.
  `create table search_trigrams (
    segment bigint not null,
    trigram text collate "C" not null,
    early bigint not null,
    late bigint not null,
    primary key (segment, trigram)
  ) with (${VACUUM_SOON}, fillfactor = 80)`,

  `create function search_message_changed() returns trigger language plpgsql as $$ begin
    update search_blocks set text = '', is_outdated = 1
    where is_outdated = 0 and id = (
      select number * 67108864 + (old.seq - 1) / 32 from search_rooms
      where chatroom_id = old.chatroom_id
    );
    return null;
  end $$`,
  `create trigger search_message_changed after update of content on messages
    for each row when (old.content <> new.content)
    execute function search_message_changed()`,
  `create trigger search_message_removed after delete on messages
    for each row execute function search_message_changed()`,

  `create function search_block_outdated() returns trigger language plpgsql as $$
  declare
    in_room constant bigint := old.id % 67108864;
    its_segment constant bigint := old.id / 67108864 * 1048576 + in_room / 104;
    in_segment constant int := (in_room % 104)::int;
    bit constant bigint := 1::bigint << (in_segment % 52);
  begin
    if in_segment < 52 then
      update search_trigrams set early = early & ~bit
      where segment = its_segment and early & bit <> 0;
    else
      update search_trigrams set late = late & ~bit
      where segment = its_segment and late & bit <> 0;
    end if;
    delete from search_trigrams where segment = its_segment and early = 0 and late = 0;
    return null;
  end $$`,
  `create trigger search_block_outdated after update of is_outdated on search_blocks
    for each row when (old.is_outdated = 0 and new.is_outdated = 1)
    execute function search_block_outdated()`,

  `create function search_room_removed() returns trigger language plpgsql as $$ begin
    delete from search_blocks
    where id between old.number * 67108864 and old.number * 67108864 + 67108863;
    delete from search_trigrams
    where segment between old.number * 1048576 and old.number * 1048576 + 1048575;
    return null;
  end $$`,
  `create trigger search_room_removed after delete on search_rooms
    for each row execute function search_room_removed()`,
];

export const postgresMessageSearch: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
