import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/harness.ts';
import { AppError } from '../errors/app-error.ts';
import { newId } from '../storage/ids.ts';
import {
  CONDITIONS,
  findRelationship,
  findRelationshipTo,
  pairKeyOf,
  relationships,
  type Relationship,
} from '../storage/relationships.ts';
import * as relationship from './relationship.ts';

type Value<Column extends keyof Relationship> = readonly Relationship[Column][];

/** Values of columns. A relationship matches if all of its columns have one of them. */
type Values = { readonly [Column in keyof Relationship]?: Value<Column> };

/** Settings that a user can switch off. At most one of them is off. */
const SETTINGS = ['shares_receipts', 'shares_typing', 'shares_presence'] as const;
const OFF = [undefined, ...SETTINGS];

/** What may vary, of which each combination is a case. */
const VARIED = {
  consent: ['accepted', 'requested', 'declined'],
  partner_consent: ['accepted', 'requested', 'declined'],
  blocked_at: [null, 1],
  partner_blocked_at: [null, 2],
  is_quiet: [0, 1],
  partner_is_quiet: [0, 1],
  suspended_at: [null, 3],
  partner_suspended_at: [null, 4],
  partner_id: ['partner', null],
  partner_who_may_write: ['everyone', 'requests', 'invited', 'nobody'],
} satisfies Values;

/** All relationships that there can be. */
const CASES = Object.entries(VARIED)
  .reduce<object[]>(
    (cases, [column, values]) =>
      cases.flatMap((each) => values.map((value) => ({ ...each, [column]: value }))),
    OFF.flatMap((own) => OFF.map((partners) => createSettings(own, partners))),
  )
  .map((each) => Object.assign(each, { chatroom_id: 'room', user_id: 'user' }) as Relationship);

function createSettings(own: string | undefined, partners: string | undefined): object {
  return Object.fromEntries(
    SETTINGS.flatMap((name) => [
      [name, Number(name !== own)],
      [`partner_${name}`, Number(name !== partners)],
    ]),
  );
}

/** Two users who have accepted each other, and have blocked and switched off nothing. */
const ACCEPTED = CASES[0] as Relationship;

function canDo(assertion: (row: Relationship) => void): (row: Relationship) => boolean {
  return (row) => errorCodeOf(assertion, row) === undefined;
}

function errorCodeOf(
  assertion: (row: Relationship) => void,
  row: Relationship,
): string | undefined {
  try {
    assertion(row);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code;
  }
}

const BOTH_ACCEPTED = {
  consent: ['accepted'],
  partner_consent: ['accepted'],
} satisfies Values;

const PARTNERS = {
  ...BOTH_ACCEPTED,
  blocked_at: [null],
  partner_blocked_at: [null],
  partner_id: ['partner'],
} satisfies Values;

interface Question {
  readonly ask: (row: Relationship) => boolean;
  /** The answer is yes for relationships that match one of these, and no for all others. */
  readonly isYesFor: readonly Values[];
  /** Whether the user never learns the answer. */
  readonly isSecret?: true;
}

/** Each question follows «whether». */
const TABLE: Readonly<Record<string, Question>> = {
  'the chatroom exists for the user': {
    ask: relationship.hasChatroom,
    isYesFor: [{ consent: ['accepted', 'requested'] }],
  },
  'the user has accepted': {
    ask: relationship.hasAccepted,
    isYesFor: [{ consent: ['accepted'] }],
  },
  'both have accepted': {
    ask: relationship.haveAccepted,
    isYesFor: [BOTH_ACCEPTED],
  },
  'the user is told of messages': {
    ask: relationship.isReceiving,
    isYesFor: [{ consent: ['accepted', 'requested'], blocked_at: [null] }],
  },
  'the user has a quiet request': {
    ask: relationship.isQuietRequest,
    isYesFor: [{ consent: ['requested'], is_quiet: [1] }],
  },
  'the partner has a quiet request, as far as the user knows': {
    ask: relationship.isSentAsRequest,
    isYesFor: [{ partner_consent: ['requested', 'declined'], partner_is_quiet: [1] }],
  },
  'the user is told receipts': {
    ask: relationship.isToldReceipts,
    isYesFor: [{ consent: ['accepted'], blocked_at: [null], shares_receipts: [1] }],
  },
  'the partner is told receipts': {
    ask: relationship.isPartnerToldReceipts,
    isYesFor: [
      {
        partner_id: ['partner'],
        partner_consent: ['accepted'],
        partner_blocked_at: [null],
        partner_shares_receipts: [1],
      },
    ],
    isSecret: true,
  },
  'both are told of typing': {
    ask: relationship.areToldTyping,
    isYesFor: [{ ...PARTNERS, shares_typing: [1], partner_shares_typing: [1] }],
  },
  'both are told presence': {
    ask: relationship.areToldPresence,
    isYesFor: [
      {
        ...PARTNERS,
        shares_presence: [1],
        partner_shares_presence: [1],
        suspended_at: [null],
        partner_suspended_at: [null],
      },
    ],
  },
  'the user can write': {
    ask: canDo(relationship.assertCanWrite),
    isYesFor: [{ partner_id: ['partner'], blocked_at: [null] }],
  },
  'the user can react': {
    ask: canDo(relationship.assertCanReact),
    isYesFor: [{ partner_id: ['partner'], blocked_at: [null], consent: ['accepted'] }],
  },
  'only the user sees a new message': {
    ask: relationship.isWithheld,
    isYesFor: [
      { partner_blocked_at: [2] },
      { partner_consent: ['declined'], partner_who_may_write: ['invited', 'nobody'] },
    ],
    isSecret: true,
  },
  'messages arrive quietly': {
    ask: relationship.arrivesQuietly,
    isYesFor: [
      { partner_who_may_write: ['requests'] },
      { partner_who_may_write: ['invited', 'nobody'], partner_is_quiet: [1] },
    ],
  },
};

function matches(row: Relationship, values: Values): boolean {
  return Object.entries(values).every(([column, allowed]) =>
    (allowed as readonly unknown[]).includes(row[column as keyof Relationship]),
  );
}

const QUESTIONS = Object.entries(TABLE);

test.each(QUESTIONS)('the table says for all relationships whether %s', (_, { ask, isYesFor }) => {
  const isExpected = (row: Relationship) => isYesFor.some((values) => matches(row, values));
  expect(CASES.filter((row) => ask(row) !== isExpected(row))).toEqual([]);
  expect(CASES.some(ask)).toBe(true);
});

test.each(QUESTIONS.filter(([, { isSecret }]) => isSecret !== true))(
  'whether %s does not tell a block from a partner who has switched everything off',
  (_, { ask }) => {
    const isNoticed = (row: Relationship) => {
      const switchedOff = { ...row, partner_blocked_at: null };
      for (const name of SETTINGS) switchedOff[`partner_${name}`] = 0;
      return ask(row) !== ask(switchedOff);
    };
    const blocked = CASES.filter((row) => row.partner_blocked_at !== null);
    expect(blocked.length).toBeGreaterThan(0);
    expect(blocked.filter(isNoticed)).toEqual([]);
  },
);

test('each function is in the table or has a test of its own', () => {
  const { canFind, ...asked } = relationship;
  expect(canFind).toBeTypeOf('function');
  expect(Object.keys(TABLE)).toHaveLength(Object.keys(asked).length);
});

test('a refusal names a deleted partner before a blocked one, and both before a request', () => {
  const refusals = (change: Partial<Relationship>) =>
    [relationship.assertCanWrite, relationship.assertCanReact].map((assertion) =>
      errorCodeOf(assertion, { ...ACCEPTED, ...change }),
    );
  const request = { consent: 'requested' } as const;
  expect(refusals({ ...request, blocked_at: 1, partner_id: null })).toEqual([
    'partner_deleted',
    'partner_deleted',
  ]);
  expect(refusals({ ...request, blocked_at: 1 })).toEqual(['partner_blocked', 'partner_blocked']);
  expect(refusals(request)).toEqual([undefined, 'request_not_accepted']);
});

test.each([
  [{ is_discoverable: 1, suspended_at: null }, undefined, true],
  [{ is_discoverable: 0, suspended_at: null }, undefined, false],
  [{ is_discoverable: 1, suspended_at: 1 }, undefined, false],
  [{ is_discoverable: 0, suspended_at: null }, 'requested', true],
  [{ is_discoverable: 1, suspended_at: 1 }, 'accepted', true],
  [{ is_discoverable: 0, suspended_at: 1 }, 'declined', false],
] as const)('a user %j is found by one whose consent is %s: %s', (found, consent, isFound) => {
  const known = consent && { consent };
  expect(relationship.canFind(found, known)).toBe(isFound);
});

describe('in the database', () => {
  /** A prime, so that all combinations of a few columns are among these cases. */
  const STRIDE = 101;
  const stored = CASES.flatMap((row, i) => {
    const ids = { chatroom_id: newId(), user_id: newId(), partnerId: newId() };
    return i % STRIDE === 0 ? [{ ...row, ...ids }] : [];
  });

  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
    for (let i = 0; i < stored.length; i += 50) await insertPairs(stored.slice(i, i + 50));
  });
  afterAll(() => server.close());

  async function insertPairs(pairs: typeof stored): Promise<void> {
    await server.ctx.storage.write(async ({ trx }) => {
      await trx.insertInto('users').values(pairs.flatMap(toUsers)).execute();
      const rooms = pairs.map(({ chatroom_id: id, user_id: user, partnerId }) => ({
        id,
        pair_key: pairKeyOf(user, partnerId),
        last_seq: 0,
        last_rev: 0,
        created_at: 0,
      }));
      await trx.insertInto('chatrooms').values(rooms).execute();
      await trx.insertInto('chatroom_members').values(pairs.flatMap(toMembers)).execute();
    });
  }

  function toUsers(row: (typeof stored)[number]) {
    const createUser = (id: string) => ({
      id,
      username: id,
      username_key: id,
      email: id,
      password_hash: '',
      language: 'en' as const,
      volume: 'full' as const,
      verified_at: 0,
      created_at: 0,
    });
    return [
      {
        ...createUser(row.user_id),
        ended_at: null,
        who_may_write: 'everyone' as const,
        suspended_at: row.suspended_at,
        shares_receipts: row.shares_receipts,
        shares_typing: row.shares_typing,
        shares_presence: row.shares_presence,
      },
      {
        ...createUser(row.partnerId),
        ended_at: row.partner_id === null ? 1 : null,
        who_may_write: row.partner_who_may_write ?? 'everyone',
        suspended_at: row.partner_suspended_at,
        shares_receipts: row.partner_shares_receipts ?? 1,
        shares_typing: row.partner_shares_typing ?? 1,
        shares_presence: row.partner_shares_presence ?? 1,
      },
    ];
  }

  function toMembers(row: (typeof stored)[number]) {
    const member = { chatroom_id: row.chatroom_id, read_seq: 0 };
    const { consent, is_quiet, blocked_at } = row;
    return [
      { ...member, user_id: row.user_id, consent, is_quiet, blocked_at },
      {
        ...member,
        user_id: row.partnerId,
        consent: row.partner_consent ?? 'accepted',
        is_quiet: row.partner_is_quiet ?? 0,
        blocked_at: row.partner_blocked_at,
      },
    ];
  }

  /** What is known of a relationship, in which the settings of a deleted account are missing. */
  function toKnown({ partnerId, ...row }: (typeof stored)[number]): Relationship {
    if (row.partner_id !== null) return { ...row, partner_id: partnerId };
    const missing = {
      partner_shares_receipts: null,
      partner_shares_typing: null,
      partner_shares_presence: null,
      partner_suspended_at: null,
      partner_who_may_write: null,
    };
    return { ...row, ...missing };
  }

  test('a relationship is found by its chatroom and by its partner', async () => {
    const found = await server.ctx.storage.read((db) =>
      Promise.all(
        stored.map(async ({ chatroom_id: chatroomId, user_id: userId, partnerId }) => [
          await findRelationship(db, chatroomId, userId),
          await findRelationshipTo(db, userId, partnerId),
        ]),
      ),
    );
    expect(found).toEqual(stored.map((row) => [toKnown(row), { ...toKnown(row), is_removed: 0 }]));
  });

  test('a deleted account has no relationships, and neither have users without a chatroom', async () => {
    const ended = stored.find((row) => row.partner_id === null);
    const [first, second] = stored;
    const found = await server.ctx.storage.read((db) =>
      Promise.all([
        findRelationship(db, ended?.chatroom_id ?? '', ended?.partnerId ?? ''),
        findRelationshipTo(db, ended?.partnerId ?? '', ended?.user_id ?? ''),
        findRelationship(db, first?.chatroom_id ?? '', second?.user_id ?? ''),
        findRelationshipTo(db, first?.user_id ?? '', second?.user_id ?? ''),
      ]),
    );
    expect(ended).toBeDefined();
    expect(found).toEqual([undefined, undefined, undefined, undefined]);
  });

  const members = stored.flatMap((row) => [
    row,
    {
      chatroom_id: row.chatroom_id,
      user_id: row.partnerId,
      consent: row.partner_consent ?? 'accepted',
      is_quiet: row.partner_is_quiet ?? 0,
      blocked_at: row.partner_blocked_at,
      shares_receipts: row.partner_shares_receipts ?? 1,
    },
  ]);
  const keyOf = (row: { chatroom_id: string; user_id: string }) =>
    `${row.chatroom_id} ${row.user_id}`;

  const { hasChatroom, hasAccepted, isReceiving, isQuietRequest, isToldReceipts } = relationship;
  const functions = {
    hasChatroom,
    hasAccepted,
    isReceiving,
    isQuietRequest,
    isToldReceipts,
  } satisfies Record<keyof typeof CONDITIONS, unknown>;

  test.each(Object.entries(functions))(
    'the condition %s agrees with the function',
    async (name, isMet) => {
      const rows = await server.ctx.storage.read((db) =>
        db
          .selectFrom('chatroom_members')
          .select(['chatroom_id', 'user_id'])
          .where(CONDITIONS[name as keyof typeof CONDITIONS]('chatroom_members'))
          .execute(),
      );
      const expected = members.filter((member) => isMet(member));
      expect(rows.map(keyOf).toSorted()).toEqual(expected.map(keyOf).toSorted());
      expect(expected.length).toBeGreaterThan(0);
      expect(expected.length).toBeLessThan(members.length);
    },
  );

  test('the condition of a partner agrees with the function', async () => {
    const rows = await server.ctx.storage.read((db) =>
      relationships(db)
        .select(['me.chatroom_id', 'me.user_id'])
        .where(CONDITIONS.hasAccepted('me'))
        .where(CONDITIONS.hasAccepted('partner'))
        .where('partner_user.id', 'is not', null)
        .execute(),
    );
    const expected = stored.flatMap((row) =>
      relationship.haveAccepted(row) && row.partner_id !== null
        ? [row, { chatroom_id: row.chatroom_id, user_id: row.partnerId }]
        : [],
    );
    expect(rows.map(keyOf).toSorted()).toEqual(expected.map(keyOf).toSorted());
    expect(expected.length).toBeGreaterThan(0);
  });
});
