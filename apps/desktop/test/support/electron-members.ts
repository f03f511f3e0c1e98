import { join, relative } from 'node:path';
import {
  isCallExpression,
  isClassDeclaration,
  isIdentifier,
  isInterfaceDeclaration,
  isNewExpression,
  isPropertyAccessExpression,
  isStringLiteral,
} from 'typescript/unstable/ast/is';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import { API, type Project, type Symbol as TypeSymbol } from 'typescript/unstable/sync';

const DESKTOP = join(import.meta.dirname, '../..');
/** Types of plain values that Electron returns or accepts. */
const PLAIN_VALUES =
  /(?:Params|Details|ReturnValue|Flags|Event|Request|Certificate|Display|Arguments|LoginItemSettings)$/;
/** Types of Node and of the DOM that Electron's declarations extend. */
const EXTENDED = /^(?:Process|Document)$/;
const LISTENER_METHODS = new Set(['on', 'once', 'off', 'removeListener', 'addListener']);

/**
 * Lists the members of Electron that the app's sources use, according to the type checker: `App.whenReady`,
 * `BrowserWindow` for a constructor, `WebContents#dom-ready` for an event. Options in object literals and values
 * that Electron returns are not listed.
 */
export function listElectronMembers(): Set<string> {
  const api = new API({ cwd: DESKTOP });
  try {
    const config = join(DESKTOP, 'tsconfig.json');
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (project === undefined) throw new Error('the project of the desktop app cannot be opened');
    const { program } = project;
    const found = new Set<string>();
    for (const name of program.getSourceFileNames()) {
      const path = relative(DESKTOP, name);
      if (!path.startsWith('src/') || path.endsWith('.test.ts')) continue;
      const file = program.getSourceFile(name);
      if (file !== undefined) collect(file, project, found);
    }
    return found;
  } finally {
    api.close();
  }
}

function collect(file: SourceFile, project: Project, found: Set<string>): void {
  const visit = (node: Node): void => {
    if (isIdentifier(node)) {
      const member = memberAt(node, project);
      if (member !== undefined) found.add(member);
    }
    node.forEachChild(visit);
  };
  visit(file);
}

function memberAt(node: Node, project: Project): string | undefined {
  const { checker } = project;
  const { parent } = node;
  if (isNewExpression(parent) && parent.expression === node) {
    const type = checker.getTypeAtLocation(parent)?.getSymbol();
    return type !== undefined && isElectron(type) ? type.name : undefined;
  }
  if (!isPropertyAccessExpression(parent) || parent.name !== node) return undefined;
  const symbol = checker.getSymbolAtLocation(node);
  if (symbol === undefined) return undefined;
  const owner = checker.getTypeAtLocation(parent.expression)?.getSymbol();
  const call = parent.parent;
  if (LISTENER_METHODS.has(symbol.name) && owner !== undefined && isElectron(owner)) {
    const event = isCallExpression(call) ? call.arguments[0] : undefined;
    if (event !== undefined && isStringLiteral(event))
      return EXTENDED.test(owner.name) ? undefined : `${owner.name}#${event.text}`;
  }
  if (!isElectron(symbol)) return undefined;
  const name = declaringType(symbol, project);
  return name === undefined || PLAIN_VALUES.test(name) || EXTENDED.test(name)
    ? undefined
    : `${name}.${symbol.name}`;
}

/** Returns the class or interface that declares a member, even if a `Pick` of it is used. */
function declaringType({ declarations }: TypeSymbol, project: Project): string | undefined {
  const parent = declarations[0]?.resolve(project)?.parent;
  const isNamed =
    parent !== undefined && (isClassDeclaration(parent) || isInterfaceDeclaration(parent));
  return isNamed ? parent.name?.text : undefined;
}

function isElectron({ declarations }: TypeSymbol): boolean {
  return declarations.some(({ path }) => path.endsWith('/electron/electron.d.ts'));
}
