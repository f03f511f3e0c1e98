/** The shortest time limit of an expectation that no slow machine exceeds without a fault. Milliseconds. */
const TIMEOUT_MIN = 20_000;
/** The longest pause between two steps of a loop. Milliseconds. */
const PAUSE_MAX = 50;

const UPPER_BOUND = /^toBeLessThan(?:OrEqual)?$/;
/** Methods of `process`. Other tests and the runner itself use the same CPU time. */
const CPU_TIME = /^(?:cpuUsage|threadCpuUsage)$/;

/** Returns whether a node is a number in the source, which no name explains. */
function isNumber(node, isMatching) {
  return node?.type === 'Literal' && typeof node.value === 'number' && isMatching(node.value);
}

function isCallOf(node, object, method) {
  if (node?.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { callee } = node;
  return callee.property.name === method && (object === undefined || callee.object.name === object);
}

/** Returns whether an expression is the difference of the current time and another one. */
function isElapsedTime(node) {
  if (node?.type !== 'BinaryExpression' || node.operator !== '-') return false;
  return isCallOf(node.left, 'performance', 'now') || isCallOf(node.left, 'Date', 'now');
}

/** Rules for tests. */
export default {
  meta: { name: 'tests' },
  rules: {
    /**
     * Forbids what makes a test depend on the speed of the machine: waiting for a time instead of an event, upper
     * bounds of durations, CPU times, and time limits below the configured ones. A wait that shows that nothing happens
     * takes a constant with a name.
     */
    'no-clocks': {
      create(context) {
        const report = (node, message) => context.report({ node, message });
        return {
          CallExpression(node) {
            const { callee, arguments: args } = node;
            const isPause = callee.name === 'sleep' || callee.name === 'setTimeout';
            const ms = callee.name === 'sleep' ? args[0] : args[1];
            const isResolving = callee.name === 'sleep' || args[0]?.type === 'Identifier';
            if (isPause && isResolving && isNumber(ms, (value) => value > PAUSE_MAX)) {
              report(node, 'Wait for an event or hold the time instead of sleeping');
            }
            if (isCallOf(node, undefined, 'waitForTimeout')) {
              report(node, 'Wait for an event or hold the time of the page instead of sleeping');
            }
            if (callee.type !== 'MemberExpression' || !UPPER_BOUND.test(callee.property.name))
              return;
            if (isElapsedTime(callee.object.arguments?.[0])) {
              report(node, 'Compare counts or the order of events instead of durations');
            }
          },
          MemberExpression(node) {
            if (node.object.name === 'process' && CPU_TIME.test(node.property.name)) {
              report(node, 'Compare counts of what is done instead of CPU times');
            }
          },
          Property(node) {
            const call = node.parent.parent;
            const isLimit =
              call?.type === 'CallExpression' && call.callee.type === 'MemberExpression';
            if (!isLimit || node.key.name !== 'timeout') return;
            if (isNumber(node.value, (value) => value < TIMEOUT_MIN)) {
              report(node, 'Keep the configured time limit, which slow machines do not exceed');
            }
          },
        };
      },
    },
  },
};
