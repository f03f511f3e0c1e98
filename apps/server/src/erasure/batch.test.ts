import { expect, test } from 'vitest';
import { BATCH, takeWithinLimits } from './batch.ts';

const createMessages = (count: number, distance: number, bytes = 1, ofSeveral = false) =>
  Array.from({ length: count }, (_, i) => ({
    chatroom_id: ofSeveral ? `${i}` : '',
    seq: i * distance + 1,
    bytes,
  }));

test.each([
  ['close to each other', createMessages(BATCH.rows, 1), BATCH.rows],
  ['of a block each', createMessages(BATCH.rows, 32), BATCH.blocks],
  ['of which two are in each block', createMessages(BATCH.rows, 16), 2 * BATCH.blocks],
  ['of a chatroom each', createMessages(BATCH.rows, 0, 1, true), BATCH.blocks],
  ['that are long', createMessages(BATCH.rows, 1, BATCH.bytes / 4), 4],
  ['that are too long', createMessages(BATCH.rows, 1, 2 * BATCH.bytes), 1],
])('takes as many messages %s as a batch may have', (_, messages, count) => {
  expect(takeWithinLimits(messages)).toEqual(messages.slice(0, count));
});
