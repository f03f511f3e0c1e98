import {
  Message,
  SIGNAL_INTERVAL,
  type ClientSignalSchema,
  type EventRecipients,
  type ServerEventSchema,
  type SignalRate,
} from '@parley/contract/schemas';
import { listPayloadFields, type PayloadField } from './payload-fields.ts';

const RECIPIENTS: Readonly<Record<EventRecipients, string>> = {
  members: 'both members of the chatroom',
  member: 'the member of the chatroom for whom something has changed',
  partner: 'the partner of the user who acted',
  user: 'the user who acted',
  session: 'the session that it is about',
};

const RATES: Readonly<Record<SignalRate, string>> = {
  change: 'Has an effect only if it differs from the last one of the connection.',
  interval: `Ignored within ${SIGNAL_INTERVAL / 1_000} seconds after one of the user in the same chatroom.`,
};

/** Returns the documentation of live events in Markdown. */
export function describeEvents(events: Readonly<Record<string, ServerEventSchema>>): string {
  return sections('', events, ({ to, shared, description }) => {
    const condition = shared
      ? `, if both have accepted and not blocked each other and share it (\`${shared}\`)`
      : '';
    return `Sent to ${RECIPIENTS[to]}${condition}. ${description}`;
  });
}

/** Returns the documentation of signals in Markdown. */
export function describeSignals(signals: Readonly<Record<string, ClientSignalSchema>>): string {
  return sections('Signal ', signals, ({ rate, description }) => `${description} ${RATES[rate]}`);
}

/** Returns the documentation of the fields of a message in Markdown. */
export function describeMessage(): string {
  return fieldTable(listPayloadFields(Message));
}

/** Replaces the generated parts of a document, which are between comments with their names. */
export function withGeneratedParts(
  document: string,
  parts: Readonly<Record<string, string>>,
): string {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const [begin, end] = [`<!-- begin ${name}, generated -->`, `<!-- end ${name} -->`];
    const [before, after] = [text.indexOf(begin), text.indexOf(end)];
    if (before === -1 || after === -1) throw new Error(`the document has no place for ${name}`);
    return `${text.slice(0, before)}${begin}\n\n${part}\n\n${text.slice(after)}`;
  }, document);
}

function sections<Row extends ServerEventSchema | ClientSignalSchema>(
  prefix: string,
  table: Readonly<Record<string, Row>>,
  describe: (row: Row) => string,
): string {
  const parts = Object.entries(table).map(([name, row]) => {
    const { payload } = row;
    const fields =
      payload === Message ? 'The payload is a message.' : fieldTable(listPayloadFields(payload));
    return `### ${prefix}\`${name}\`\n\n${describe(row)}\n\n${fields}`;
  });
  return parts.join('\n\n');
}

/** Returns a table as the formatter writes it. */
function fieldTable(fields: readonly PayloadField[]): string {
  const rows = [
    ['field', 'type', 'description'],
    ...fields.map(({ path, type, isOptional, description }) => [
      `\`${path}\`${isOptional ? ', optional' : ''}`,
      type,
      description,
    ]),
  ];
  const widths = [0, 1, 2].map((column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const lines = rows.map(
    (row) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`,
  );
  lines.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  return lines.join('\n');
}
