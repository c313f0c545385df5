import js from '@eslint/js'
import globals from 'globals'
import ts from 'typescript-eslint'

const network = ['http', 'https', 'http2', 'net', 'tls', 'dgram', 'dns', 'dns/promises', 'undici'].flatMap((name) => [name, `node:${name}`])
const processes = ['child_process', 'node:child_process', 'cluster', 'node:cluster']
const frameworks = ['koa', '@koa/router', 'koa-body']

/** A border: what the files of a folder may not import, and why. */
const border = (patterns, paths) => [
  'error',
  {
    paths: paths.flatMap(([names, message]) => names.map((name) => ({ name, message }))),
    patterns: [...patterns, { regex: '^(?:\\.\\./)+scripts/', message: 'scripts use the gateway and are no part of it' }],
  },
]
const noNetwork = [network, 'reach the network through core/outbound, where addresses are checked']
const noProcess = [processes, 'start programs through core/exec, inside the sandbox']
const noFramework = [frameworks, 'the web framework stays in core/http']

/** Folders of core, lowest first: an import goes down, never up. */
const layers = [
  ...['runtime', 'sdk', 'problems', 'telemetry', 'store', 'redis', 'limits', 'outbound', 'exec', 'files', 'config', 'accounts', 'credits'],
  ...['loader', 'dispatch', 'calls', 'diagnosis', 'http', 'lifecycle'],
]
const exceptions = {
  outbound: [noProcess, noFramework],
  exec: [noNetwork, noFramework],
  http: [[network.filter((name) => !/(^|:)http$/.test(name)), noNetwork[1]], noProcess],
}
const layered = layers.map((folder, at) => ({
  files: [`core/${folder}/**/*.ts`],
  rules: {
    'no-restricted-imports': border(
      layers.slice(at + 1).map((above) => ({ regex: `^(?:\\.\\./)+${above}/`, message: `core/${folder} is below it: imports go down` })),
      exceptions[folder] ?? [noNetwork, noProcess, noFramework],
    ),
  },
}))

const sources = [
  {
    selector: "MemberExpression[object.name='URL'][property.name='canParse']",
    message: 'wrong on Node 20 for letters such as ä once optimised: use parseUrl of the sdk',
  },
  { selector: 'ExportDefaultDeclaration', message: 'named exports only; the loader looks at what an export is' },
  { selector: 'CatchClause[body.body.length=0]', message: 'a catch that swallows: throw, map or log, once' },
]
/** What a test may not do by itself; test/support/needs.ts and test/support/time.ts do it for all. */
const inTests = [
  {
    selector: "CallExpression[callee.property.name='skip'][callee.object.type='ThisExpression']",
    message: 'a test that does not run says why: skip, needsProgram or notMeasured of test/support/needs.ts',
  },
  {
    selector: "CallExpression[callee.object.name=/^(it|describe|context|specify|suite|test)$/][callee.property.name='skip']",
    message: 'a test that does not run says why: skipped of test/support/needs.ts',
  },
  {
    selector: "CallExpression[callee.name='setTimeout']",
    message: 'wait for what is to happen: until of test/support/time.ts, or its later and pause where real time is the subject',
  },
  {
    selector: "ImportDeclaration[source.value=/^(node:)?timers\\/promises$/] ImportSpecifier[imported.name='setTimeout']",
    message: 'wait for what is to happen: until of test/support/time.ts, or its pause where real time is the subject',
  },
  {
    selector:
      ':matches(WhileStatement, DoWhileStatement, ForStatement[update=null]) > ExpressionStatement > AwaitExpression > ' +
      ":matches(NewExpression[callee.name='Promise'], CallExpression[callee.name=/^(settle|turns?|pause)$/])",
    message: 'a loop that may never end: until of test/support/time.ts gives up and says what it waited for',
  },
]

export default ts.config(
  { ignores: ['dist/**', 'clients/*/dist/**', '.build/**', '.tools/**', '.venv/**', 'coverage/**', 'data/**', 'node_modules/**'] },
  js.configs.recommended,
  ...ts.configs.recommendedTypeChecked,
  { languageOptions: { globals: globals.node, parserOptions: { project: 'tsconfig.json', tsconfigRootDir: import.meta.dirname } } },
  { files: ['scripts/**'], rules: { 'max-lines': ['error', { max: 300 }] } },
  {
    files: ['core/**/*.ts', 'plugins/**/*.ts', 'config/**/*.ts', 'scripts/capstan/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 500 }],
      'max-params': ['error', 4],
      'no-restricted-imports': border([], [noNetwork, noProcess, noFramework]),
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      'no-restricted-syntax': ['error', ...sources],
    },
  },
  ...layered,
  { files: ['core/sdk/**/*.ts'], rules: { '@typescript-eslint/consistent-type-assertions': 'off' } },
  {
    files: ['core/runtime/*.ts', 'core/sdk/*.ts'],
    rules: {
      'no-restricted-imports': border(
        [{ regex: '^\\.\\./', message: 'core/runtime and core/sdk import nothing else of the gateway' }],
        [noNetwork, noProcess, noFramework],
      ),
    },
  },
  // Servers for tests, which listen and make certificates with openssl; no other file of the gateway may import them.
  { files: ['core/sdk/testkit/**/*.ts'], rules: { 'no-restricted-imports': border([], [noFramework]) } },
  // An auditor that shared the ledger's code would share its mistakes.
  {
    files: ['scripts/capstan/audit/**/*.ts'],
    rules: {
      'no-restricted-imports': border(
        [{ regex: '(store|accounts|credits|calls|dispatch)/', message: 'the audit shares no code with what it audits' }],
        [noNetwork, noProcess, noFramework],
      ),
    },
  },
  // What listens for callers, the client of the operator's own gateway, and a lock that is a Unix socket.
  {
    files: [
      'core/main.ts',
      'core/app.ts',
      'scripts/capstan/cli/gateway-client.ts',
      'scripts/capstan/mcp/*.ts',
      'core/runtime/sockets.ts',
      'scripts/capstan/cli/start-problems.ts',
    ],
    rules: { 'no-restricted-imports': border([], [noProcess, noFramework]) },
  },
  {
    files: ['plugins/**/*.ts'],
    ignores: ['plugins/**/*.spec.ts'],
    rules: {
      'no-restricted-imports': border(
        [
          { regex: 'core/(?!sdk/)', message: 'a plugin imports core/sdk and nothing else of the core' },
          { regex: 'sdk/trusted', message: 'a cast for the store alone: check what you read' },
          { regex: '^typebox', message: 'the sdk re-exports the one copy of the schema library' },
        ],
        [noNetwork, noProcess, noFramework],
      ),
    },
  },
  // The event loop serves everybody: what pages, programs and models write is read where its size has a limit, or beside the loop.
  {
    files: ['plugins/**/*.ts'],
    ignores: ['plugins/**/*.spec.ts', 'plugins/**/{work,parse,guest}/*.ts', 'plugins/_shared/charset/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'JSON', property: 'parse', message: 'use foreignJson of the sdk, which counts the values before it builds them' },
      ],
      'no-restricted-globals': [
        'error',
        {
          name: 'TextDecoder',
          message: 'decode in a worker (context.work) or a parser (context.parse), where time and memory have limits',
        },
      ],
    },
  },
  {
    files: ['**/work/*.ts', '**/parse/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: 'CatchClause[body.body.length=0]', message: 'a catch that swallows: throw, map or log, once' },
      ],
    },
  },
  {
    files: ['test/**/*.ts', '**/*.spec.ts'],
    languageOptions: { globals: { ...globals.node, ...globals.mocha } },
    rules: {
      'max-lines': ['error', { max: 400 }],
      'no-restricted-imports': 'off',
      '@typescript-eslint/consistent-type-assertions': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['test/**/*.ts', '**/*.spec.ts'],
    ignores: ['test/support/**'],
    rules: { 'no-restricted-syntax': ['error', ...sources, ...inTests] },
  },
  {
    files: ['test/support/**/*.ts'],
    ignores: ['test/support/needs.ts', 'test/support/**/*.spec.ts'],
    rules: { 'no-restricted-syntax': ['error', ...inTests.slice(0, 2)] },
  },
  // Runs in browsers too, and is small: what it needs of Node it imports when it runs there.
  {
    files: ['clients/typescript/src/*.ts'],
    ignores: ['clients/typescript/src/generated.ts'],
    rules: {
      'max-lines': ['error', { max: 500 }],
      'max-params': ['error', 4],
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^[^.]', message: 'the client has no dependencies and imports nothing of Node' }] },
      ],
      'no-restricted-syntax': ['error', ...sources],
    },
  },
  { files: ['**/*.cts'], rules: { '@typescript-eslint/no-require-imports': ['error', { allowAsImport: true }] } },
  { files: ['**/*.js', '**/*.mjs'], ...ts.configs.disableTypeChecked },
)
