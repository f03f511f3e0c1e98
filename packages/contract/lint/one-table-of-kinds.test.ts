import { expect, test } from 'vitest';
import { reportedLines } from './reported-lines.ts';

test('reports comparisons of the kinds of messages, but not of other things', () => {
  const lines = [
    "if (message.kind === 'image') show();",
    "if (quote?.kind !== 'text') hide();",
    "if ('audio' === kind) play();",
    "switch (message.kind) { case 'text': show(); }",
    "if (shown.kind === 'minutes') show();",
    "if (view.shape === 'text') show();",
    'if (message.kind === wanted) show();',
  ];
  expect(reportedLines('one-table-of-kinds.js', 'renderer/one-table-of-kinds', lines)).toEqual([
    1, 2, 3, 4,
  ]);
});
