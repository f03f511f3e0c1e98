import type { DataExport, ExportBody } from '@parley/contract';
import { strFromU8, unzipSync } from 'fflate';
import { expectStatus } from './chatting.ts';
import type { TestServer, TestUser } from './harness.ts';
import { until } from './until.ts';

/** The files of an archive as texts, by path. Pictures and recordings are no meaningful texts. */
export type ArchiveFiles = Readonly<Record<string, string>>;

/** Requests an export, by default of everything, in English and UTC. */
export function requestExportOf(user: TestUser, body: Partial<ExportBody> = {}) {
  return user.request('POST', '/api/exports', { language: 'en', timeZone: 'UTC', ...body });
}

/** Returns the exports of a user, newest first. */
export async function listExportsOf(user: TestUser): Promise<DataExport[]> {
  const response = await user.request('GET', '/api/exports');
  expectStatus(response, 200);
  return response.body.exports;
}

/** Waits until the newest export of a user is finished, and returns it. */
export function waitForExport(user: TestUser): Promise<DataExport> {
  return until(async () => {
    const [newest] = await listExportsOf(user);
    return newest?.expiresAt !== undefined && newest;
  });
}

/** Makes an export and returns it. */
export async function exportData(
  user: TestUser,
  body: Partial<ExportBody> = {},
): Promise<DataExport> {
  expectStatus(await requestExportOf(user, body), 202);
  return waitForExport(user);
}

/** Requests the file of an export, with headers. */
export function fetchArchive(
  { url }: Pick<TestServer, 'url'>,
  { cookie }: Pick<TestUser, 'cookie'>,
  id: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/api/exports/${id}/file`, { headers: { cookie, ...headers } });
}

/** Makes an export and returns its files. */
export async function exportFiles(
  server: Pick<TestServer, 'url'>,
  user: TestUser,
  body: Partial<ExportBody> = {},
): Promise<ArchiveFiles> {
  const { id, status, failure } = await exportData(user, body);
  if (status !== 'ready') throw new Error(`the export is ${status}: ${failure}`);
  const response = await fetchArchive(server, user, id);
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, strFromU8(bytes)]));
}
