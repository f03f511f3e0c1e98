import { endAccount } from '../accounts/account-deletion.service.ts';
import { eraseQueued } from '../erasure/eraser.ts';
import { findAccount, findAccounts, type AccountRow } from '../operator/user-admin.repository.ts';
import { makeResetKey, verifyAccount } from '../operator/user-admin.service.ts';
import { siteUrl } from '../operator/site-url.ts';
import {
  CommandError,
  EXIT,
  JSON_OPTION,
  UsageError,
  type Arguments,
  type Command,
} from './command.ts';
import { withDataFolder, type DataFolder } from './data-folder.ts';
import { columns, say, type Terminal } from './terminal.ts';

/** `user`: what an operator does for people, also without a mail server. */
export const user: Command = {
  name: 'user',
  synopsis: `list [--json]
verify <username or email> [--json]
reset-link <username or email> [--json]
delete <username or email> --yes [--json]`,
  summary: 'List, verify and delete accounts; make a link to set a new password',
  details: `verify      does what the mailed key would have done
reset-link  makes a key as «Forgot password?» does, and shows it instead of mailing it;
            it is valid for one hour and replaces an earlier one
delete      erases the account as its person could: messages, uploads, sessions;
            there is no way back but a backup

A running server need not be stopped; people who are connected see it live.`,
  json: `list        [{"username", "email", "verified", "registeredAt", "lastSeenAt"}]
verify      {"username", "email", "verified"}
reset-link  {"username", "email", "key", "link", "expiresAt"}
delete      {"username", "email", "deleted"}`,
  options: { ...JSON_OPTION, yes: { type: 'boolean' } },
  positionals: [0, 2],
  async run(args, terminal) {
    const [action, who] = args.positionals;
    if (action === undefined) {
      throw new UsageError('what shall be done? list, verify, reset-link or delete');
    }
    if (action === 'list') {
      if (who !== undefined) throw new UsageError(`'${who}' is too much`);
      await withDataFolder(terminal, (folder) => list(folder, args, terminal));
      return EXIT.ok;
    }
    const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (act === undefined) throw new UsageError(`there is no 'user ${action}'`);
    if (who === undefined) throw new UsageError('whose account? Give a username or an email');
    if (action === 'delete' && !args.isSet('yes')) {
      throw new UsageError('this erases the account for good; add --yes if you mean it');
    }
    await withDataFolder(terminal, async (folder) => {
      const account = await folder.storage.read((db) => findAccount(db, who));
      if (account === undefined) throw new CommandError(`Nobody is registered as ${who}.`);
      const { line, value } = await act(folder, account);
      say(terminal, args.isSet('json'), line, value);
    });
    return EXIT.ok;
  },
};

type Action = (
  folder: DataFolder,
  account: AccountRow,
) => Promise<{ line: string; value: Record<string, unknown> }>;

const ACTIONS: Record<string, Action> = {
  async verify(folder, { id, username, email }) {
    await folder.write((unit) => verifyAccount(unit, id));
    return { line: `${username} is verified.`, value: { username, email, verified: true } };
  },
  async 'reset-link'(folder, { id, username, email }) {
    const { key, expiresAt } = await folder.write((unit) => makeResetKey(unit, id));
    const fragment = new URLSearchParams({ email, key }).toString();
    const link = `${siteUrl(folder.config)}/new-pw#${fragment}`;
    const expires = new Date(expiresAt).toISOString();
    return {
      line: `${link}\nKey: ${key} (for ${email}, until ${expires})`,
      value: { username, email, key, link, expiresAt: expires },
    };
  },
  async delete(folder, { id, username, email }) {
    await folder.write((unit) => endAccount(unit, id));
    // Here too, as no server may be running.
    await eraseQueued(folder, new AbortController().signal);
    await folder.storage.cutLog();
    return { line: `${username} is deleted.`, value: { username, email, deleted: true } };
  },
};

async function list({ storage }: DataFolder, args: Arguments, terminal: Terminal): Promise<void> {
  const rows = await storage.read(findAccounts);
  if (args.isSet('json')) {
    terminal.stdout.write(`${JSON.stringify(rows.map(toJson))}\n`);
    return;
  }
  terminal.stdout.write(
    `${columns([
      ['USERNAME', 'VERIFIED', 'REGISTERED', 'LAST SEEN', 'EMAIL'],
      ...rows.map((row) => [
        row.username,
        row.verified_at === null ? 'no' : 'yes',
        day(row.created_at),
        day(row.last_seen_at),
        row.email,
      ]),
    ])}\n`,
  );
}

function day(time: number | null): string {
  return isoTime(time)?.slice(0, 10) ?? '-';
}

function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

function toJson(row: AccountRow) {
  return {
    username: row.username,
    email: row.email,
    verified: row.verified_at !== null,
    registeredAt: isoTime(row.created_at),
    lastSeenAt: isoTime(row.last_seen_at),
  };
}
