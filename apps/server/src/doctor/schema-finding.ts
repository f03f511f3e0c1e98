import type { SchemaState } from '../storage/schema.ts';
import { createFindings, type Finding } from './finding.ts';

const schema = createFindings('schema');

/** Returns whether this version can use a database. `upgradeAdvice` is how to upgrade an older schema. */
export function createSchemaFinding(
  { done, pending, unknown }: SchemaState,
  upgradeAdvice: string,
): Finding {
  if (unknown.length > 0) {
    return schema.failed(
      `${unknown.at(-1)} belongs to a newer version of Parley.`,
      'Run that version again, or restore a backup from before the upgrade.',
    );
  }
  const latest = done.at(-1);
  if (pending.length === 0) return schema.ok(latest ?? '');
  if (latest === undefined) {
    return schema.warning(
      'The database has no tables yet.',
      "Start the server or run 'parley restore', which create them.",
    );
  }
  return schema.warning(`${latest} belongs to an older version of Parley.`, upgradeAdvice);
}

/** Returns the warning that a database has something that the migrations did not create. */
export function createDifferenceFinding(difference: string): Finding {
  return schema.warning(
    `The database has ${difference}, which Parley does not create.`,
    "Remove it if you added it: 'parley backup' and 'parley restore' reject such a database. Otherwise, restore a backup.",
  );
}
