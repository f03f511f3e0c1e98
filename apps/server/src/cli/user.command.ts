import { listAccounts, type AccountRow } from '../accounts/account-admin.service.ts';
import { toReadableEmail } from '../accounts/readable-email.ts';
import {
  createResetLinkOperation,
  deleteUserOperation,
  resumeUserOperation,
  setEmailOperation,
  suspendUserOperation,
  verifyUserOperation,
} from '../operator/operations.ts';
import { EXIT, JSON_OPTION, UsageError, type Arguments, type Command } from './command.ts';
import { withDataFolder, type DataFolder } from './data-folder.ts';
import { runOperation } from './run-operation.ts';
import { warnOfLocalLink } from './local-link.ts';
import { formatColumns, printResult, type Terminal } from './terminal.ts';

/** `user`: manages accounts, even without a mail server. */
export const userCommand: Command = {
  name: 'user',
  synopsis: `list [--json]
verify <username or email> [--json]
reset-link <username or email> [--json]
set-email <username or email> <new email> --yes [--json]
suspend <username or email> --yes [--json]
resume <username or email> [--json]
delete <username or email> --yes [--json]`,
  summary:
    'List, verify, suspend and delete accounts; create password reset links; set email addresses',
  details: `verify      verifies the email address, like the emailed key; not if several registrations of
            the address wait for their keys
reset-link  creates a reset key like "Forgot password?", but prints it instead of emailing it;
            it is valid for one hour and replaces an earlier one
set-email   gives the account another email address, for users who have lost their mailbox. Make
            sure that it is the user who asks: the new mailbox can reset the password. Ends all
            sessions, and the former address gets a notice, but cannot take the account back
suspend     ends all sessions and prevents new ones until resume; logging in says why. Users
            without a chat with the account cannot find it. Existing chats and messages stay
delete      deletes the account with its messages, uploads and sessions, as the user could in
            the settings; only a backup can restore it. Of registrations that are not verified,
            deletes all with the username or email address

A running server makes the change itself, and connected users see it live. Run this as the
user who runs the server, or as root.`,
  json: `list        [{"username", "email", "verified", "suspended", "registeredAt", "lastSeenAt"}]
verify      {"username", "email", "verified"}
reset-link  {"username", "email", "key", "link", "expiresAt"}
set-email   {"username", "email"}
suspend     {"username", "email", "suspended"}
resume      {"username", "email", "suspended"}
delete      {"username", "email", "deleted"}`,
  options: { ...JSON_OPTION, yes: { type: 'boolean' } },
  positionals: [0, 3],
  async run(args, terminal) {
    const [action, account, email] = args.positionals;
    if (action === undefined) {
      throw new UsageError(
        'missing an action: list, verify, reset-link, set-email, suspend, resume or delete',
      );
    }
    if (action === 'list') {
      if (account !== undefined) throw new UsageError(`unexpected argument '${account}'`);
      await withDataFolder(terminal, (folder) => list(folder, args, terminal));
      return EXIT.ok;
    }
    const runAction = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (runAction === undefined) throw new UsageError(`unknown action 'user ${action}'`);
    if (account === undefined)
      throw new UsageError('missing the username or email address of the account');
    if (action === 'set-email' ? email === undefined : email !== undefined) {
      throw new UsageError(
        email === undefined ? 'missing the new email address' : `unexpected argument '${email}'`,
      );
    }
    if (action === 'delete' && !args.isSet('yes')) {
      throw new UsageError('this permanently deletes the account; add --yes to confirm');
    }
    if (action === 'suspend' && !args.isSet('yes')) {
      throw new UsageError('this ends all sessions of the account; add --yes to confirm');
    }
    if (action === 'set-email' && !args.isSet('yes')) {
      throw new UsageError(
        'this ends all sessions of the account, and the new mailbox can reset its password; add --yes to confirm',
      );
    }
    const { line, value } = await runAction(terminal, account, email ?? '');
    printResult(terminal, args.isSet('json'), line, value);
    return EXIT.ok;
  },
};

type Action = (
  terminal: Terminal,
  user: string,
  email: string,
) => Promise<{ line: string; value: Record<string, unknown> }>;

/** Creates an action that changes an account and says what was done. */
function createAction(
  operation: typeof verifyUserOperation,
  done: string,
  state: Readonly<Record<string, boolean>>,
): Action {
  return async (terminal, user) => {
    const { username, email } = await runOperation(terminal, operation, { user });
    return { line: `${username} ${done}.`, value: { username, email, ...state } };
  };
}

const ACTIONS: Record<string, Action> = {
  verify: createAction(verifyUserOperation, 'was verified', { verified: true }),
  async 'reset-link'(terminal, user) {
    const created = await runOperation(terminal, createResetLinkOperation, { user });
    const { username, email, key, link } = created;
    warnOfLocalLink(terminal, link);
    const expires = new Date(created.expiresAt).toISOString();
    return {
      line: `${link}\nKey: ${key} (for ${toReadableEmail(email)}, until ${expires})`,
      value: { username, email, key, link, expiresAt: expires },
    };
  },
  async 'set-email'(terminal, user, newEmail) {
    const request = { user, email: newEmail };
    const { username, email } = await runOperation(terminal, setEmailOperation, request);
    return {
      line: `${username} has the email address ${toReadableEmail(email)} now.`,
      value: { username, email },
    };
  },
  suspend: createAction(suspendUserOperation, 'was suspended', { suspended: true }),
  resume: createAction(resumeUserOperation, 'can log in again', { suspended: false }),
  delete: createAction(deleteUserOperation, 'was deleted', { deleted: true }),
};

async function list({ storage }: DataFolder, args: Arguments, terminal: Terminal): Promise<void> {
  const rows = await storage.read(listAccounts);
  const table = formatColumns([
    ['USERNAME', 'VERIFIED', 'REGISTERED', 'LAST SEEN', 'STATUS', 'EMAIL'],
    ...rows.map((row) => [
      row.username,
      row.verified_at === null ? 'no' : 'yes',
      formatDate(row.created_at),
      formatDate(row.last_seen_at),
      row.suspended_at === null ? 'active' : 'suspended',
      toReadableEmail(row.email),
    ]),
  ]);
  printResult(terminal, args.isSet('json'), table, rows.map(toJson));
}

function formatDate(time: number | null): string {
  return toIsoTime(time)?.slice(0, 10) ?? '-';
}

function toIsoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

function toJson(row: AccountRow) {
  return {
    username: row.username,
    email: row.email,
    verified: row.verified_at !== null,
    suspended: row.suspended_at !== null,
    registeredAt: toIsoTime(row.created_at),
    lastSeenAt: toIsoTime(row.last_seen_at),
  };
}
