import { readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { basename, join } from 'node:path';

/** An error in a workflow. */
export interface WorkflowError {
  /** Line number, starting at 1. */
  line: number;
  message: string;
}

// GitHub's library imports its schema as JSON without the attribute that Node requires.
registerHooks({
  load: (url, context, next) =>
    /\/@actions\/.+\.json$/.test(url)
      ? next(url, { ...context, importAttributes: { type: 'json' } })
      : next(url, context),
});
const { registerLogger, validate } = await import('@actions/languageservice');
const { TextDocument } = await import('vscode-languageserver-textdocument');

let failures: string[] = [];
let documents = 0;

// If the library itself fails, it only logs that and returns no errors, as for a valid workflow.
registerLogger({
  error: (message) => failures.push(message),
  warn: ignore,
  info: ignore,
  log: ignore,
});

function ignore(): void {
  // Only errors are collected.
}

/**
 * Checks a workflow with GitHub's own parser: keys, types, expressions and their contexts, `needs`, and the inputs
 * of workflows that it calls from `folder`. Does not check the inputs of actions, which are in other repositories.
 * Must not be called concurrently.
 * @throws {Error} if the parser fails
 */
export async function lintWorkflow(folder: string, text: string): Promise<WorkflowError[]> {
  // The library caches parsed workflows by their address.
  documents += 1;
  const address = `file:///${documents}/.github/workflows/workflow.yml`;
  failures = [];
  const found = await validate(TextDocument.create(address, 'yaml', 0, text), {
    fileProvider: {
      getFileContent: async ({ path }) => {
        const name = basename(path);
        return { name: `${address}/${name}`, content: await readFile(join(folder, name), 'utf8') };
      },
    },
  });
  if (failures.length > 0) throw new Error(failures.join('\n'));
  return found.map(({ message, range }) => ({
    line: range.start.line + 1,
    message: typeof message === 'string' ? message : message.value,
  }));
}
