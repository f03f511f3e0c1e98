import { countOpenReports } from '../reports/report.service.ts';
import type { Storage } from '../storage/storage.ts';
import { createFindings, type Finding } from './finding.ts';

const reports = createFindings('reports');

/** Age in days from which an open report is mentioned. */
const OLD_DAYS = 14;
const DAY = 24 * 60 * 60 * 1000;

/** Checks whether users have waited long for the operator to handle their reports. */
export async function checkReports({ read }: Pick<Storage, 'read'>): Promise<Finding> {
  const open = await read((db) => countOpenReports(db));
  const old = await read((db) => countOpenReports(db, Date.now() - OLD_DAYS * DAY));
  if (old === 0) return reports.ok(`${open} open`);
  return reports.warning(
    `${open} open, ${old} of them for more than ${OLD_DAYS} days`,
    "See 'parley report list', and close what is done with 'parley report close'.",
  );
}
