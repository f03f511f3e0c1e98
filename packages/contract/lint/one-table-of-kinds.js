import { CONTENT_OF_KINDS } from '../src/content.ts';

const KINDS = new Set(Object.keys(CONTENT_OF_KINDS));
const EQUALITY = new Set(['===', '!==', '==', '!=']);
const MESSAGE =
  'Use the table of kinds (format/message-kinds.ts), which also covers kinds of newer versions';

function isKind(node) {
  return node.type === 'Literal' && KINDS.has(node.value);
}

/** Returns whether an expression is called `kind`, also as a property. */
function isCalledKind(node) {
  if (node.type === 'Identifier') return node.name === 'kind';
  if (node.type === 'ChainExpression') return isCalledKind(node.expression);
  return node.type === 'MemberExpression' && node.property.name === 'kind';
}

/** Rules for the renderer. */
export default {
  meta: { name: 'renderer' },
  rules: {
    /** Forbids comparing a kind of messages outside the table of kinds. */
    'one-table-of-kinds': {
      create(context) {
        return {
          BinaryExpression(node) {
            const { left, right, operator } = node;
            const isComparison =
              (isCalledKind(left) && isKind(right)) || (isKind(left) && isCalledKind(right));
            if (isComparison && EQUALITY.has(operator)) context.report({ node, message: MESSAGE });
          },
          SwitchStatement(node) {
            const hasKinds = node.cases.some(({ test }) => test !== null && isKind(test));
            if (hasKinds && isCalledKind(node.discriminant)) {
              context.report({ node, message: MESSAGE });
            }
          },
        };
      },
    },
  },
};
