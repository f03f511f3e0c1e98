import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

// Frozen once released: imports nothing from the application and never changes. Add a new file instead.
// A block has 32 messages, a segment 2 * 52 blocks. A chatroom has up to 67108864 blocks and 1048576
// segments.
const STATEMENTS = [
  `create table search_rooms (
    number integer primary key,
    chatroom_id text not null
      constraint search_rooms_chatroom unique references chatrooms (id) on delete cascade,
    indexed_seq integer not null
  ) strict`,

  `create table search_blocks (
    id integer primary key,
    text text not null,
    kinds integer not null,
    is_outdated integer not null
      constraint search_blocks_is_outdated check (is_outdated in (0, 1))
  ) strict`,
  `create index search_blocks_outdated on search_blocks (id) where is_outdated = 1`,
  `create index search_blocks_kinds on search_blocks (id, kinds) where kinds > 0`,

  `create table search_trigrams (
    segment integer not null,
    trigram text not null,
    early integer not null,
    late integer not null,
    primary key (segment, trigram)
  ) strict, without rowid`,

  // Whatever changes or deletes a message, its text leaves the index at the same time.
  `create trigger search_message_changed after update of content on messages
    when old.content <> new.content begin
    update search_blocks set text = '', is_outdated = 1
    where is_outdated = 0 and id = (
      select number * 67108864 + (old.seq - 1) / 32 from search_rooms
      where chatroom_id = old.chatroom_id
    );
  end`,
  `create trigger search_message_removed after delete on messages begin
    update search_blocks set text = '', is_outdated = 1
    where is_outdated = 0 and id = (
      select number * 67108864 + (old.seq - 1) / 32 from search_rooms
      where chatroom_id = old.chatroom_id
    );
  end`,
  `create trigger search_block_outdated after update of is_outdated on search_blocks
    when old.is_outdated = 0 and new.is_outdated = 1 begin
    update search_trigrams set early = early & ~(1 << (old.id % 67108864 % 104))
    where segment = old.id / 67108864 * 1048576 + old.id % 67108864 / 104
      and old.id % 67108864 % 104 < 52
      and early & (1 << (old.id % 67108864 % 104)) <> 0;
    update search_trigrams set late = late & ~(1 << (old.id % 67108864 % 104 - 52))
    where segment = old.id / 67108864 * 1048576 + old.id % 67108864 / 104
      and old.id % 67108864 % 104 >= 52
      and late & (1 << (old.id % 67108864 % 104 - 52)) <> 0;
    delete from search_trigrams
    where segment = old.id / 67108864 * 1048576 + old.id % 67108864 / 104
      and early = 0 and late = 0;
  end`,
  `create trigger search_room_removed after delete on search_rooms begin
    delete from search_blocks
    where id between old.number * 67108864 and old.number * 67108864 + 67108863;
    delete from search_trigrams
    where segment between old.number * 1048576 and old.number * 1048576 + 1048575;
  end`,
];

export const messageSearch: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
