import { join } from 'node:path';
import { ALL_FAULTS } from '../src/faults/all-faults.ts';
import { findFault } from '../src/faults/find-fault.ts';

// Breaks one line of the product after the other and prints which test sees it: `npm run test:faults`, with words of
// the names of faults to try only those. It changes files while it runs, so it belongs in a clone of its own.

const root = join(import.meta.dirname, '../../..');
const words = process.argv.slice(2);
const chosen = ALL_FAULTS.filter(
  ({ name }) => words.length === 0 || words.some((w) => name.includes(w)),
);
let missed = 0;
for (const fault of chosen) {
  const { seenBy, seconds } = findFault(root, fault);
  if (seenBy === undefined) missed += 1;
  process.stdout.write(
    `| ${fault.kind} | ${fault.name} | ${seenBy ?? '**not seen**'} | ${seconds} s |\n`,
  );
}
process.stdout.write(`\n${chosen.length - missed} of ${chosen.length} faults seen\n`);
process.exitCode = missed === 0 ? 0 : 1;
