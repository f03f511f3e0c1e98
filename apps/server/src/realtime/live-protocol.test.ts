import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientSignals, serverEvents } from '@parley/contract/schemas';
import { expect, test } from 'vitest';
import {
  describeEvents,
  describeMessage,
  describeSignals,
  withGeneratedParts,
} from '../../test/live-protocol.ts';

const README = join(import.meta.dirname, 'README.md');

// With `-u`, the file is updated.
test('the documentation contains the table of live events and signals', async () => {
  const document = await readFile(README, 'utf8');
  const parts = {
    events: describeEvents(serverEvents),
    message: describeMessage(),
    signals: describeSignals(clientSignals),
  };
  await expect(withGeneratedParts(document, parts)).toMatchFileSnapshot(README);
});
