import type { Readable, Writable } from 'node:stream';
import type { WebFiles } from '../web-client/web-pack.ts';

/** What a command has to do with the outside. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  /** For what was asked for. */
  readonly stdout: Writable & { readonly isTTY?: boolean };
  /** For everything else. */
  readonly stderr: Writable;
  readonly loadWebFiles: () => WebFiles;
}

/** Writes a line, or what a script reads in its place. */
export function printResult(
  { stdout }: Terminal,
  isJson: boolean,
  line: string,
  value: unknown,
): void {
  stdout.write(isJson ? `${JSON.stringify(value)}\n` : `${line}\n`);
}

/** Rows as formatColumns that stand below each other; the last one keeps its length. */
export function formatColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, cell.length)));
  }
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
