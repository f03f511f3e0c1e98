import { backupCommand } from './backup.ts';
import type { Command } from './command.ts';
import { doctorCommand } from './doctor.ts';
import { createHelpCommand } from './help.ts';
import { inviteCommand } from './invite.ts';
import { restoreCommand } from './restore.ts';
import { serveCommand } from './serve.ts';
import { userCommand } from './user.ts';
import { versionCommand } from './version.ts';

/** Every command, in the order in which the help lists them. */
export const COMMANDS: readonly Command[] = [
  serveCommand,
  backupCommand,
  restoreCommand,
  doctorCommand,
  userCommand,
  inviteCommand,
  versionCommand,
];

/** The commands and the help about them. */
export function findCommand(name: string): Command | undefined {
  return name === 'help'
    ? createHelpCommand(COMMANDS)
    : COMMANDS.find((command) => command.name === name);
}
