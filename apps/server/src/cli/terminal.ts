import type { Readable, Writable } from 'node:stream';
import type { WebFiles } from '../web-client/web-pack.ts';

/** The environment and the streams of a command. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  /** For results. */
  readonly stdout: Writable & { readonly isTTY?: boolean };
  /** For messages. */
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly loadWebFiles: () => WebFiles;
}

/** Prints a result, as a line of text or as JSON. */
export function printResult(
  { stdout }: Terminal,
  isJson: boolean,
  line: string,
  value: unknown,
): void {
  stdout.write(isJson ? `${JSON.stringify(value)}\n` : `${line}\n`);
}

/** Formats rows as aligned columns. The last column is not padded. */
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
