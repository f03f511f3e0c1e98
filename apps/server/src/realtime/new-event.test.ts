import { randomUUID } from 'node:crypto';
import type { Payloads } from '@parley/contract';
import { Id, serverEvents, type ServerEventSchema } from '@parley/contract/schemas';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { EVENT_CASES, type EventCases } from '../../test/event-cases.ts';
import { findEventProblem } from '../../test/event-problem.ts';
import { describeEvents } from '../../test/live-protocol.ts';

const wave = {
  payload: Type.Object({ chatroom: Id, hands: Type.Optional(Type.Integer()) }),
  to: 'partner',
  shared: 'sharesTyping',
  description: 'The user waves.',
} as const satisfies ServerEventSchema;
const table = { ...serverEvents, wave };

test('a new event is documented', () => {
  const documentation = describeEvents(table);
  expect(documentation).toContain(
    '### `wave`\n\nSent to the partner of the user who acted, if both have accepted and not blocked each other ' +
      'and share it (`sharesTyping`). The user waves.',
  );
  expect(documentation).toContain('| `hands`, optional | integer |');
});

test('a new event needs a case that shows who receives it', () => {
  // @ts-expect-error -- there is no case
  const cases: EventCases<Payloads<typeof table>> = EVENT_CASES;
  expect(Object.keys(cases)).toEqual(Object.keys(serverEvents));
});

test('events that differ from their schema or are not in the table are found', () => {
  const chatroom = randomUUID();
  for (const payload of [{ chatroom }, { chatroom, hands: 2 }]) {
    expect(findEventProblem('wave', payload, table)).toBeUndefined();
  }
  expect(findEventProblem('wave', { chatroom: 'x' }, table)).toContain('/chatroom');
  expect(findEventProblem('wave', { hands: 2 }, table)).toContain('chatroom');
  expect(findEventProblem('wave', { chatroom, feet: 2 }, table)).toContain('other fields');
  expect(findEventProblem('wave', { chatroom })).toContain('not in the table');
  expect(findEventProblem('constructor', {})).toContain('not in the table');
});
