import { sql } from 'kysely';
import { rowsOf, type ParameterRow } from '../storage/expressions.ts';
import { BLOCK_SIZE, hasBit, MISSING_BITS } from '../storage/search-blocks.ts';
import { CONDITIONS } from '../storage/relationships.ts';
import { staticFind, staticSelect, staticWrite } from '../storage/static-query.ts';
import type { Reader, Writer } from '../storage/storage.ts';

/** The state of a chatroom's index. */
export interface IndexedChatroom {
  number: number;
  indexed_seq: number;
}

/** Locks a chatroom, so that its messages do not change, and returns its newest `seq`. */
export async function lockForIndexing(
  trx: Writer,
  chatroomId: string,
): Promise<number | undefined> {
  const row = await trx
    .selectFrom('chatrooms')
    .select('last_seq')
    .where('id', '=', chatroomId)
    .forUpdate()
    .executeTakeFirst();
  return row?.last_seq;
}

/** Finds the state of a chatroom's index. */
export function findIndexedChatroom(
  db: Reader,
  chatroomId: string,
): Promise<IndexedChatroom | undefined> {
  return db
    .selectFrom('search_rooms')
    .select(['number', 'indexed_seq'])
    .where('chatroom_id', '=', chatroomId)
    .executeTakeFirst();
}

/** Creates the empty index of a chatroom. The write must not be concurrent. */
export async function createIndexedChatroom(
  trx: Writer,
  chatroomId: string,
): Promise<IndexedChatroom> {
  const { newest } = await trx
    .selectFrom('search_rooms')
    .select((eb) => eb.fn.max('number').as('newest'))
    .executeTakeFirstOrThrow();
  const room = { number: (newest ?? 0) + 1, indexed_seq: 0 };
  await trx
    .insertInto('search_rooms')
    .values({ ...room, chatroom_id: chatroomId })
    .execute();
  return room;
}

/** Sets up to which message a chatroom is indexed. */
export async function setIndexedSeq(trx: Writer, number: number, seq: number): Promise<void> {
  await trx
    .updateTable('search_rooms')
    .set({ indexed_seq: seq })
    .where('number', '=', number)
    .execute();
}

const upsertRow = staticWrite<{ id: number; text: string; kinds: number }, unknown>((db, param) =>
  db
    .insertInto('search_blocks')
    .values({ id: param('id'), text: param('text'), kinds: param('kinds'), is_outdated: 0 })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        text: (eb) => eb.ref('excluded.text'),
        kinds: (eb) => eb.ref('excluded.kinds'),
        is_outdated: 0,
      }),
    ),
);

/** Writes a block. */
export async function upsertBlock(
  trx: Writer,
  block: { id: number; text: string; kinds: number },
): Promise<void> {
  await upsertRow(trx, block);
}

/**
 * Marks blocks as outdated, which removes their texts and trigrams from the index, and creates missing ones.
 * Until they are written, they belong to the caller with this positive number, unless they are claimed
 * again.
 */
export async function claimBlocks(
  trx: Writer,
  ids: readonly number[],
  claim: number,
): Promise<void> {
  const update = trx.updateTable('search_blocks').where('id', 'in', ids);
  // A trigger removes the trigrams once a block becomes outdated.
  await update.set({ is_outdated: 0 }).execute();
  const claimed = { text: '', kinds: -claim, is_outdated: 1 };
  await update.set(claimed).execute();
  await trx
    .insertInto('search_blocks')
    .values(ids.map((id) => ({ id, ...claimed })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns how many of the blocks still belong to the caller with this number. */
export async function countClaimed(
  trx: Writer,
  ids: readonly number[],
  claim: number,
): Promise<number> {
  const { count } = await trx
    .selectFrom('search_blocks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('id', 'in', ids)
    .where('is_outdated', '=', 1)
    .where('kinds', '=', -claim)
    .executeTakeFirstOrThrow();
  return count;
}

const upsertTrigrams = staticWrite<{ segment: number; rows: string }, unknown>((db, param) =>
  db
    .insertInto('search_trigrams')
    .columns(['segment', 'trigram', 'early', 'late'])
    .expression((eb) =>
      eb
        .selectFrom(rowsOf(param('rows')).as('row'))
        .select([
          eb.cast<number>(eb.val(param('segment')), 'bigint').as('segment'),
          'row.key',
          'row.first',
          'row.second',
        ])
        // SQLite would otherwise take `on conflict` for the condition of a join.
        .where(eb.lit(true)),
    )
    .onConflict((conflict) =>
      conflict.columns(['segment', 'trigram']).doUpdateSet({
        early: (eb) => eb('search_trigrams.early', '|', eb.ref('excluded.early')),
        late: (eb) => eb('search_trigrams.late', '|', eb.ref('excluded.late')),
      }),
    ),
);

/** Adds bits to the masks of trigrams. */
export async function addTrigrams(
  trx: Writer,
  segment: number,
  masks: ReadonlyMap<string, { early: number; late: number }>,
): Promise<void> {
  if (masks.size === 0) return;
  // In the order of the table, so that neighboring pages are changed one after the other.
  const rows = [...masks]
    .map(([trigram, { early, late }]): ParameterRow => [trigram, early, late])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  await upsertTrigrams(trx, { segment, rows: JSON.stringify(rows) });
}

/** A block as it is stored. */
export interface StoredBlock {
  id: number;
  text: string;
  kinds: number;
  is_outdated: number;
}

/** Returns whether the text of a block is not stored, because a message has changed or the text is too long. */
export function isTextMissing({
  kinds,
  is_outdated: isOutdated,
}: Pick<StoredBlock, 'kinds' | 'is_outdated'>): boolean {
  return isOutdated === 1 || hasBit(kinds, MISSING_BITS.text);
}

/** Starts a query of blocks by their ids, as of {@link toIdRows}. */
function blocksOf(db: Reader, rows: string) {
  return db
    .selectFrom(rowsOf(rows).as('wanted'))
    .crossJoin('search_blocks as block')
    .whereRef('block.id', '=', 'wanted.first');
}

const selectBlocks = staticSelect<{ rows: string }, StoredBlock>((db, param) =>
  blocksOf(db, param('rows')).select([
    'block.id',
    'block.text',
    'block.kinds',
    'block.is_outdated',
  ]),
);

/** Returns blocks, in any order. */
export async function listBlocks(db: Reader, ids: readonly number[]): Promise<StoredBlock[]> {
  if (ids.length === 0) return [];
  return selectBlocks(db, { rows: toIdRows(ids) });
}

/** The size of a block's text. */
interface BlockSize extends Omit<StoredBlock, 'text'> {
  /** Of the text in UTF-8. */
  bytes: number;
}

const selectBlockSizes = staticSelect<{ rows: string }, BlockSize>((db, param) =>
  blocksOf(db, param('rows'))
    // Both engines know it without reading the text.
    .select([
      'block.id',
      sql<number>`octet_length(block.text)`.as('bytes'),
      'block.kinds',
      'block.is_outdated',
    ]),
);

/** Returns the sizes of blocks, in any order. */
export async function listBlockSizes(db: Reader, ids: readonly number[]): Promise<BlockSize[]> {
  return selectBlockSizes(db, { rows: toIdRows(ids) });
}

const toIdRows = (ids: readonly number[]): string =>
  JSON.stringify(ids.map((id): ParameterRow => ['', id, 0]));

/** The blocks of a chatroom with ids in a range. */
export interface BlockRange {
  readonly firstId: number;
  readonly lastId: number;
}

/** Starts a query of the blocks in ranges, as of {@link toRows}. */
function blocksIn(db: Reader, rows: string) {
  return db
    .selectFrom(rowsOf(rows).as('range'))
    .crossJoin('search_blocks as block')
    .whereRef('block.id', '>=', 'range.first')
    .whereRef('block.id', '<=', 'range.second');
}

const toRows = (ranges: readonly BlockRange[]) =>
  JSON.stringify(ranges.map(({ firstId, lastId }): ParameterRow => ['', firstId, lastId]));

const selectOutdated = staticSelect<{ rows: string }, { id: number }>((db, param) =>
  blocksIn(db, param('rows'))
    .select('block.id')
    .where('block.is_outdated', '=', (eb) => eb.lit(1)),
);

/** Returns the blocks in ranges whose text is missing because a message has changed. */
export async function findOutdatedIn(db: Reader, ranges: readonly BlockRange[]): Promise<number[]> {
  if (ranges.length === 0) return [];
  return (await selectOutdated(db, { rows: toRows(ranges) })).map(({ id }) => id);
}

const selectKinds = staticSelect<{ rows: string }, { id: number; kinds: number }>((db, param) =>
  blocksIn(db, param('rows'))
    .select(['block.id', 'block.kinds'])
    .where('block.kinds', '>', (eb) => eb.lit(0)),
);

/** Returns the blocks in ranges that contain anything but texts without links, with what it is. */
export async function findKindsIn(
  db: Reader,
  ranges: readonly BlockRange[],
): Promise<{ id: number; kinds: number }[]> {
  if (ranges.length === 0) return [];
  return selectKinds(db, { rows: toRows(ranges) });
}

const selectUnlisted = staticSelect<{ rows: string }, { id: number }>((db, param) =>
  blocksIn(db, param('rows'))
    .select('block.id')
    .where('block.kinds', '>', (eb) => eb.lit(0))
    .where(sql<boolean>`block.kinds & ${sql.lit(MISSING_BITS.trigrams)} <> 0`),
);

/** Returns the blocks in ranges whose trigrams are missing because there are too many. */
export async function findUnlistedIn(db: Reader, ranges: readonly BlockRange[]): Promise<number[]> {
  if (ranges.length === 0) return [];
  return (await selectUnlisted(db, { rows: toRows(ranges) })).map(({ id }) => id);
}

/** Returns how many trigrams of a segment are stored, up to `max`. */
export async function countTrigrams(db: Reader, segment: number, max: number): Promise<number> {
  const { count } = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('search_trigrams')
        .select('segment')
        .where('segment', '=', segment)
        .limit(max)
        .as('found'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The blocks of a segment that contain a trigram. */
export interface TrigramMask {
  segment: number;
  trigram: string;
  early: number;
  late: number;
}

const selectMasks = staticSelect<{ rows: string }, TrigramMask>((db, param) =>
  db
    .selectFrom(rowsOf(param('rows')).as('wanted'))
    .crossJoin('search_trigrams as found')
    .whereRef('found.segment', '=', 'wanted.first')
    .whereRef('found.trigram', '=', 'wanted.key')
    .select(['found.segment', 'found.trigram', 'found.early', 'found.late']),
);

/** Returns the masks of trigrams in segments. Those without a bit are missing. */
export async function findMasks(
  db: Reader,
  segments: readonly number[],
  trigrams: readonly string[],
): Promise<TrigramMask[]> {
  if (segments.length === 0 || trigrams.length === 0) return [];
  const rows = segments.flatMap((segment) =>
    trigrams.map((trigram): ParameterRow => [trigram, segment, 0]),
  );
  return selectMasks(db, { rows: JSON.stringify(rows) });
}

/** A chatroom with messages that are in no block. */
export interface UnfinishedChatroom {
  id: string;
  /** When its newest message was sent. */
  newest_at: number | null;
}

/** Finds chatrooms with messages that are in no block, by id. */
export function findUnfinishedChatrooms(
  db: Reader,
  afterId: string,
  limit: number,
): Promise<UnfinishedChatroom[]> {
  return db
    .selectFrom('chatrooms as room')
    .leftJoin('search_rooms as indexed', 'indexed.chatroom_id', 'room.id')
    .select((eb) => [
      'room.id',
      eb
        .selectFrom('messages')
        .select('messages.created_at')
        .whereRef('messages.chatroom_id', '=', 'room.id')
        .whereRef('messages.seq', '=', 'room.last_seq')
        .as('newest_at'),
    ])
    .where((eb) => eb('room.last_seq', '>', eb.fn.coalesce('indexed.indexed_seq', eb.lit(0))))
    .where('room.id', '>', afterId)
    .orderBy('room.id')
    .limit(limit)
    .execute();
}

/** Counts the messages that fill blocks which are not written yet. */
export async function countUnindexedMessages(db: Reader): Promise<number> {
  const { count } = await db
    .selectFrom('chatrooms as room')
    .leftJoin('search_rooms as indexed', 'indexed.chatroom_id', 'room.id')
    .select(sql<number>`cast(coalesce(sum(${fullSeq} - ${indexedSeq}), 0) as bigint)`.as('count'))
    .where(sql<boolean>`${fullSeq} > ${indexedSeq}`)
    .executeTakeFirstOrThrow();
  return count;
}

/** The last message of a chatroom's last full block. */
const fullSeq = sql<number>`(room.last_seq - room.last_seq % ${sql.lit(BLOCK_SIZE)})`;
const indexedSeq = sql<number>`coalesce(indexed.indexed_seq, 0)`;

/** Finds the next block after an id whose text is missing because a message has changed, and its chatroom. */
export function findOutdatedBlock(
  db: Reader,
  afterId: number,
): Promise<{ id: number; chatroom_id: string; number: number } | undefined> {
  return db
    .selectFrom('search_blocks as block')
    .innerJoin('search_rooms as room', (join) =>
      join.on((eb) => eb('room.number', '=', eb('block.id', '/', eb.lit(67_108_864)))),
    )
    .select(['block.id', 'room.chatroom_id', 'room.number'])
    .where('block.is_outdated', '=', (eb) => eb.lit(1))
    .where('block.id', '>', afterId)
    .orderBy('block.id')
    .limit(1)
    .executeTakeFirst();
}

/** A chatroom to search. */
export interface SearchableChatroom {
  chatroom_id: string;
  last_seq: number;
  /** 0 if nothing of it is indexed. */
  number: number;
  indexed_seq: number;
  /** When its newest message was sent. */
  newest_at: number;
}

/** Starts a query of the chatrooms of a user that have messages. */
function searchableChatrooms(db: Reader, userId: string) {
  return db
    .selectFrom('chatroom_members as me')
    .innerJoin('chatrooms as room', 'room.id', 'me.chatroom_id')
    .innerJoin('messages as newest', (join) =>
      join.onRef('newest.chatroom_id', '=', 'room.id').onRef('newest.seq', '=', 'room.last_seq'),
    )
    .leftJoin('search_rooms as indexed', 'indexed.chatroom_id', 'room.id')
    .select((eb) => [
      'me.chatroom_id',
      'room.last_seq',
      eb.fn.coalesce('indexed.number', eb.lit(0)).as('number'),
      eb.fn.coalesce('indexed.indexed_seq', eb.lit(0)).as('indexed_seq'),
      'newest.created_at as newest_at',
    ])
    .where('me.user_id', '=', userId);
}

/** Returns the chatrooms of a user that have messages and are in the user's chat list or requests. */
export const listSearchableChatrooms = staticSelect<{ userId: string }, SearchableChatroom>(
  (db, param) => searchableChatrooms(db, param('userId')).where(CONDITIONS.isReceiving('me')),
);

/** Finds a chatroom of a user. Chatrooms without messages are not found. */
export const findSearchableChatroom = staticFind<
  { userId: string; chatroomId: string },
  SearchableChatroom
>((db, param) =>
  searchableChatrooms(db, param('userId'))
    .where('me.chatroom_id', '=', param('chatroomId'))
    .where('room.id', '=', param('chatroomId')),
);
