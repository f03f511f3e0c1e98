import type { Readable, Writable } from 'node:stream';
import type { WebFiles } from '../web-client/web-pack.ts';

/** The environment and the streams of a command. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** For results. */
  readonly stdout: Writable & { readonly isTTY?: boolean };
  /** For messages. */
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly loadWebFiles: () => WebFiles;
}

/**
 * Characters that control a terminal or change the order of other characters, or that separate
 * lines. Without the two invisible characters that join letters and emoji.
 */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu;

/** Returns a text on one line, with escapes instead of control characters. */
function escapeControls(text: string): string {
  return text.replace(CONTROLS, (control) =>
    control === '\n' ? '\\n' : `\\u{${control.codePointAt(0)?.toString(16)}}`,
  );
}

/** Formats a value as JSON on one line, with escapes instead of control characters. */
function formatJson(value: unknown): string {
  return JSON.stringify(value).replace(CONTROLS, (control) =>
    control
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/**
 * Prints a result, as lines of text or as JSON on one line. Names and texts of users in it may contain
 * control characters, so these are escaped.
 */
export function printResult(
  { stdout }: Terminal,
  isJson: boolean,
  text: string,
  value: unknown,
): void {
  const lines = text.split('\n').map(escapeControls).join('\n');
  stdout.write(`${isJson ? formatJson(value) : lines}\n`);
}

/**
 * Formats rows as aligned columns on one line each, with escapes instead of control characters. The
 * last column is not padded.
 */
export function formatColumns(table: readonly (readonly string[])[]): string {
  const rows = table.map((row) => row.map(escapeControls));
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
