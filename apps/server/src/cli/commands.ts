import { backupCommand } from './backup.command.ts';
import type { Command } from './command.ts';
import { doctorCommand } from './doctor.command.ts';
import { createHelpCommand } from './help.ts';
import { inviteCommand } from './invite.command.ts';
import { mediaCommand } from './media.command.ts';
import { reportCommand } from './report.command.ts';
import { restoreCommand } from './restore.command.ts';
import { serveCommand } from './serve.command.ts';
import { userCommand } from './user.command.ts';
import { versionCommand } from './version.command.ts';

/** All commands except `help`, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  serveCommand,
  backupCommand,
  restoreCommand,
  doctorCommand,
  userCommand,
  inviteCommand,
  reportCommand,
  mediaCommand,
  versionCommand,
];

/** Finds a command by name, including `help`. */
export function findCommand(name: string): Command | undefined {
  return name === 'help'
    ? createHelpCommand(COMMANDS)
    : COMMANDS.find((command) => command.name === name);
}
