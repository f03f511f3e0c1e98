import { backupCommand } from './backup.ts';
import type { Command } from './command.ts';
import { doctorCommand } from './doctor.ts';
import { createHelpCommand } from './help.ts';
import { inviteCommand } from './invite.ts';
import { restoreCommand } from './restore.ts';
import { serveCommand } from './serve.ts';
import { userCommand } from './user.ts';
import { versionCommand } from './version.ts';

/** All commands except `help`, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  serveCommand,
  backupCommand,
  restoreCommand,
  doctorCommand,
  userCommand,
  inviteCommand,
  versionCommand,
];

/** Finds a command by name, including `help`. */
export function findCommand(name: string): Command | undefined {
  return name === 'help'
    ? createHelpCommand(COMMANDS)
    : COMMANDS.find((command) => command.name === name);
}
