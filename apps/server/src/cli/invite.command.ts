import { listInvitations } from '../invitations/invitation.service.ts';
import {
  createInvitationLinkOperation,
  revokeInvitationOperation,
} from '../operator/operations.ts';
import {
  EXIT,
  JSON_OPTION,
  readPositiveInteger,
  UsageError,
  type Arguments,
  type Command,
} from './command.ts';
import { withDataFolder } from './data-folder.ts';
import { warnOfLocalLink } from './local-link.ts';
import { runOperation } from './run-operation.ts';
import { formatColumns, printResult, type Terminal } from './terminal.ts';

/** `invite`: manages invitations for servers with `PARLEY_REGISTRATION=invite`. */
export const inviteCommand: Command = {
  name: 'invite',
  synopsis: `[--uses <number>] [--days <number>] [--note <text>] [--json]
list [--people] [--json]
revoke <id> [--json]`,
  summary: 'Create, list and revoke invitation links',
  details: `An invitation is valid for one registration within 7 days; --uses and --days change that. The
link is shown only once, because only its hash is stored. --note is for your own reference.

list shows the invitations that can still be used; --people adds those that users have created, of
which you can revoke any. Run this as the user who runs the server, or as root.`,
  json: `invite  {"id", "link", "uses", "expiresAt", "note"}
list    [{"id", "usesLeft", "expiresAt", "note", "inviter"}]
revoke  {"id", "revoked"}`,
  options: {
    ...JSON_OPTION,
    uses: { type: 'string' },
    days: { type: 'string' },
    note: { type: 'string' },
    people: { type: 'boolean' },
  },
  positionals: [0, 2],
  async run(args, terminal) {
    const [action = 'make', id] = args.positionals;
    const runAction = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (runAction === undefined) throw new UsageError(`unknown action 'invite ${action}'`);
    if (action === 'revoke' && id === undefined)
      throw new UsageError('missing the id of the invitation');
    if (action !== 'revoke' && id !== undefined)
      throw new UsageError(`unexpected argument '${id}'`);
    await runAction(args, terminal);
    return EXIT.ok;
  },
};

type Action = (args: Arguments, terminal: Terminal) => Promise<void>;

const ACTIONS: Record<string, Action> = {
  async make(args, terminal) {
    const uses = readPositiveInteger(args, 'uses', 1);
    const days = readPositiveInteger(args, 'days', 7);
    const note = args.value('note') ?? '';
    const request = { uses, days, note };
    const created = await runOperation(terminal, createInvitationLinkOperation, request);
    const { id, link, registration } = created;
    const expiresAt = new Date(created.expiresAt).toISOString();
    printResult(terminal, args.isSet('json'), link, { id, link, uses, expiresAt, note });
    if (registration !== 'invite') {
      terminal.stderr.write(
        `PARLEY_REGISTRATION is '${registration}'; the link only works if it is 'invite'.\n`,
      );
    }
    warnOfLocalLink(terminal, link);
  },
  async list(args, terminal) {
    const isOfEveryone = args.isSet('people');
    const rows = await withDataFolder(terminal, ({ storage }) =>
      storage.read((db) => listInvitations(db, { isOfEveryone })),
    );
    const invitations = rows.map((row) => ({
      id: row.id,
      usesLeft: row.uses_left,
      expiresAt: new Date(row.expires_at).toISOString(),
      // Only the user who created it sees its note.
      note: row.inviter_id === null ? row.note : '',
      inviter: row.inviter_name,
    }));
    const table = formatColumns([
      ['ID', 'USES LEFT', 'EXPIRES', ...(isOfEveryone ? ['INVITER'] : []), 'NOTE'],
      ...invitations.map((i) => [
        i.id,
        // Those of users are for one person or for any number.
        i.inviter === null || i.usesLeft === 1 ? String(i.usesLeft) : 'unlimited',
        i.expiresAt.slice(0, 10),
        ...(isOfEveryone ? [i.inviter ?? '-'] : []),
        i.note,
      ]),
    ]);
    printResult(terminal, args.isSet('json'), table, invitations);
  },
  async revoke(args, terminal) {
    const id = args.positionals[1] ?? '';
    await runOperation(terminal, revokeInvitationOperation, { id });
    printResult(terminal, args.isSet('json'), 'The invitation was revoked.', { id, revoked: true });
  },
};
