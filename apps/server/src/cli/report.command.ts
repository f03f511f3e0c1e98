import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isTextual } from '@parley/contract';
import mime from 'mime/lite';
import { createFolder } from '../files/create-folder.ts';
import { closeReportOperation } from '../operator/operations.ts';
import {
  findReportDetails,
  listReports,
  readReportFile,
  type ReportDetails,
  type ReportMessageRow,
  type ReportRow,
} from '../reports/report.service.ts';
import {
  CommandError,
  EXIT,
  JSON_OPTION,
  UsageError,
  type Arguments,
  type Command,
} from './command.ts';
import { withDataFolder, type DataFolder } from './data-folder.ts';
import { runOperation } from './run-operation.ts';
import { formatColumns, printResult, type Terminal } from './terminal.ts';

/** `report`: shows what users have reported to the operator. */
export const reportCommand: Command = {
  name: 'report',
  synopsis: `list [--all] [--json]
show <id> [--files <folder>] [--json]
close <id> [--json]`,
  summary: 'List, show and close reports of users about others',
  details: `list   lists the open reports, oldest first; --all includes closed ones
show   prints a report with copies of the reported messages, even if their sender has edited or
       deleted them; --files saves copies of their pictures and recordings to a folder
close  marks a report as done; 30 days later, it is erased

A report is erased together with the reported account, so save what you need before you delete
the account. Control characters in texts are escaped. Run this as the user who runs the server, or
as root.`,
  json: `list   [{"id", "createdAt", "closedAt", "reporter", "reported", "reason", "messages"}]
show   {"id", "createdAt", "closedAt", "reporter", "reported", "reason", "comment",
        "messages": [{"sentAt", "editedAt", "kind", "content", "bytes", "file"}]}
close  {"id", "closed"}`,
  options: { ...JSON_OPTION, all: { type: 'boolean' }, files: { type: 'string' } },
  positionals: [0, 2],
  async run(args, terminal) {
    const [action, id] = args.positionals;
    if (action === undefined) throw new UsageError('missing an action: list, show or close');
    const runAction = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (runAction === undefined) throw new UsageError(`unknown action 'report ${action}'`);
    if (action === 'list' && id !== undefined) throw new UsageError(`unexpected argument '${id}'`);
    if (action !== 'list' && id === undefined) throw new UsageError('missing the id of the report');
    await runAction(args, terminal, id ?? '');
    return EXIT.ok;
  },
};

type Action = (args: Arguments, terminal: Terminal, id: string) => Promise<void>;

const ACTIONS: Record<string, Action> = {
  async list(args, terminal) {
    const rows = await withDataFolder(terminal, ({ storage }) =>
      storage.read((db) => listReports(db, { hasClosed: args.isSet('all') })),
    );
    const table = formatColumns([
      ['ID', 'CREATED', 'STATUS', 'REASON', 'MESSAGES', 'REPORTED', 'REPORTER'],
      ...rows.map((row) => [
        row.id,
        toIsoTime(row.created_at).slice(0, 10),
        row.closed_at === null ? 'open' : 'closed',
        row.reason,
        String(row.messages),
        row.reported,
        formatReporter(row),
      ]),
    ]);
    printResult(terminal, args.isSet('json'), table, rows.map(toListedJson));
  },
  async show(args, terminal, id) {
    await withDataFolder(terminal, async (folder) => {
      const found = await folder.storage.read((db) => findReportDetails(db, id));
      if (found === undefined) throw new CommandError(`There is no report ${id}.`);
      const target = args.value('files');
      const files = target === undefined ? new Map() : await saveFiles(folder, found, target);
      printResult(
        terminal,
        args.isSet('json'),
        formatReport(found, files),
        toDetailedJson(found, files),
      );
    });
  },
  async close(args, terminal, id) {
    await runOperation(terminal, closeReportOperation, { id });
    printResult(terminal, args.isSet('json'), 'The report was closed.', { id, closed: true });
  },
};

/** The paths of saved files by the ids of their messages. */
type SavedFiles = ReadonlyMap<string, string>;

/**
 * Saves the copies of a report's files to a folder. Never replaces a file.
 * @throws a file system error.
 */
async function saveFiles(
  { storage }: DataFolder,
  { report, messages }: ReportDetails,
  folder: string,
): Promise<SavedFiles> {
  createFolder(folder);
  const files = new Map<string, string>();
  for (const message of messages) {
    if (message.bytes === 0) continue;
    const extension = mime.getExtension(message.mime ?? '') ?? 'bin';
    const path = join(folder, `${report.id}-${message.position + 1}.${extension}`);
    const parts = await storage.read((db) => readReportFile(db, message.id));
    await writeParts(path, parts);
    files.set(message.id, path);
  }
  return files;
}

/** Writes a new file that only this user can read. Leaves no incomplete file. */
async function writeParts(path: string, parts: readonly Buffer[]): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for (const part of parts) await file.writeFile(part);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

function formatReport({ report, messages }: ReportDetails, files: SavedFiles): string {
  const lines = [
    ['Report', report.id],
    ['Created', toIsoTime(report.created_at)],
    ['Status', report.closed_at === null ? 'open' : `closed ${toIsoTime(report.closed_at)}`],
    ['Reported', report.reported],
    ['Reporter', formatReporter(report)],
    ['Reason', report.reason],
    ...formatLines(report.comment).map((line, i) => [i === 0 ? 'Comment' : '', line]),
    ['Messages', String(messages.length)],
  ];
  return [formatColumns(lines), ...messages.map((message) => formatMessage(message, files))].join(
    '\n\n',
  );
}

function formatMessage(message: ReportMessageRow, files: SavedFiles): string {
  const edited = toEditTime(message);
  const number = `${message.position + 1}.`;
  const time = toIsoTime(message.sent_at);
  const heading = `${number} ${time}${edited === null ? '' : ` (edited ${edited})`}`;
  const lines = isTextual(message.kind)
    ? formatLines(message.content)
    : [describeFile(message, files)];
  return [heading, ...lines.map((line) => `   ${line}`)].join('\n');
}

function describeFile(
  { id, kind, mime: type, bytes }: ReportMessageRow,
  files: SavedFiles,
): string {
  if (bytes === 0) return `[${kind}: the file was missing when the report was sent]`;
  const path = files.get(id);
  return `[${kind}, ${type}, ${bytes} bytes: ${path ?? 'save it with --files <folder>'}]`;
}

function formatLines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

function formatReporter({ reporter }: ReportRow): string {
  return reporter ?? '(deleted account)';
}

function toIsoTime(time: number): string {
  return new Date(time).toISOString();
}

/** Returns when a message was edited last; null if it was not. */
function toEditTime({ sent_at: sentAt, updated_at: updatedAt }: ReportMessageRow): string | null {
  return updatedAt === sentAt ? null : toIsoTime(updatedAt);
}

function toJson(row: ReportRow) {
  return {
    id: row.id,
    createdAt: toIsoTime(row.created_at),
    closedAt: row.closed_at === null ? null : toIsoTime(row.closed_at),
    reporter: row.reporter,
    reported: row.reported,
    reason: row.reason,
  };
}

function toListedJson(row: ReportRow) {
  return { ...toJson(row), messages: row.messages };
}

function toDetailedJson({ report, messages }: ReportDetails, files: SavedFiles) {
  return {
    ...toJson(report),
    comment: report.comment,
    messages: messages.map((message) => ({
      sentAt: toIsoTime(message.sent_at),
      editedAt: toEditTime(message),
      kind: message.kind,
      content: message.content,
      bytes: isTextual(message.kind) ? null : message.bytes,
      file: files.get(message.id) ?? null,
    })),
  };
}
