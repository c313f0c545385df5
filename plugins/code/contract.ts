import { capability, flat, nullable, oneOf, or, Type, type Static } from '../../core/sdk/index.js'
import { violations } from './violations.js'

/** Longest content of one file: 10 MiB in Base64, the longest encoding. */
const MOST_CHARACTERS = 13_981_016

/** A file that the caller provides for the program. */
export const inputFile = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the file in the working directory, without a path.' }),
    content: or(nullable(Type.String({ maxLength: MOST_CHARACTERS, description: 'Content of the file; give either this or url.' })), null),
    encoding: or(oneOf('utf-8', 'base64'), 'utf-8'),
    url: or(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 8192,
          description: 'Public URL the content is fetched from before the run; give either this or content.',
        }),
      ),
      null,
    ),
  },
  { additionalProperties: false },
)
export type InputFile = Static<typeof inputFile>

const outputFile = Type.Object({
  name: Type.String(),
  size_bytes: Type.Integer(),
  content_type: Type.String(),
  url: Type.String(),
  expires_at: Type.String({ description: 'Expiry time of the link, ISO 8601.' }),
  content_base64: nullable(Type.String({ description: 'Content of the file, Base64-encoded, for files of at most 256 KiB.' })),
})

const input = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 1_000_000, description: 'Source code of the program.' }),
    language: or(
      Type.Unsafe<Language>({
        ...oneOf('python', 'javascript', 'shell'),
        description: 'Language of the program: Python 3, JavaScript (Node.js) or Bash.',
      }),
      'python',
    ),
    timeout: or(Type.Integer({ minimum: 1, maximum: 300, description: 'Seconds the program may run.' }), 30),
    template: or(
      nullable(
        Type.Unsafe<Template>({
          ...oneOf('default', 'data-science', 'web-dev', 'video'),
          description:
            'Preinstalled tools: data-science (pandas, Matplotlib), web-dev (Flask or Node.js), video (FFmpeg). ' +
            'data-science includes NumPy; web-dev for Python includes Requests and Beautiful Soup; default adds ' +
            'nothing.',
        }),
      ),
      null,
    ),
    input_files: or(
      Type.Array(inputFile, {
        maxItems: 100,
        description: 'Files placed in the working directory before the program starts, at most 10 MiB in total.',
      }),
      [],
    ),
    packages: or(
      Type.Array(Type.String({ minLength: 1, maxLength: 120 }), {
        maxItems: 20,
        description: 'Additional PyPI packages by name, or as name==version; Python only.',
      }),
      [],
    ),
  },
  { additionalProperties: false },
)
export type Language = 'python' | 'javascript' | 'shell'
export type Template = 'default' | 'data-science' | 'web-dev' | 'video'
export type CodeInput = Static<typeof input>

const output = Type.Object({
  stdout: Type.String({ description: 'Standard output, at most 1 MiB, then truncated with a marker.' }),
  stderr: Type.String({ description: 'Standard error, at most 1 MiB, then truncated with a marker.' }),
  exit_code: Type.Integer({ description: 'Exit code of the program; 124 when the timeout stopped it, 137 when it ran out of memory.' }),
  execution_time_ms: Type.Integer(),
  output_files: Type.Array(outputFile, { description: 'Files that the program created or changed, at most 20 files and 20 MiB in total.' }),
  sandbox_boot_ms: Type.Integer(),
  template_used: oneOf('default', 'data-science', 'web-dev', 'video'),
})
export type CodeOutput = Static<typeof output>
export type OutputFile = Static<typeof outputFile>

export const execute = capability({
  id: 'code.execute',
  path: '/v1/code/execute',
  phrases: [
    { say: '* run execute evaluate compute calculate script program snippet python javascript shell bash command output' },
    { say: 'run|execute code|script|program|command {code}' },
    { say: 'run|execute python|javascript|shell|bash|node {code}' },
    { say: 'run|execute in python|javascript|shell|bash|node {code}' },
    { say: 'run|execute {code}' },
    { say: 'what does {code} print|output|return' },
    { say: 'code in sandbox' },
    { say: 'bash|sh', params: { language: 'shell' } },
    { say: 'node', params: { language: 'javascript' } },
  ],
  title: 'Run code in a sandbox',
  description:
    'Runs a Python, JavaScript or shell program in an isolated sandbox without network access and returns its ' +
    'output, its exit code and the files it created. Files can be placed in the working directory and Python ' +
    'packages installed before it starts. Matplotlib figures are returned as files, even without savefig. A program ' +
    'that ran is a success whatever its exit code: 124 means that the timeout stopped it, 137 that it ran out of ' +
    'memory, each with a line on stderr. Nothing is kept between runs.',
  input,
  output,
  price: flat(2),
  examples: [
    { title: 'Run one line of JavaScript', params: { language: 'javascript', code: 'console.log(6*7)' } },
    {
      title: 'Add up a column of a CSV file with Python',
      params: {
        code: "import csv\nprint(sum(int(row['n']) for row in csv.DictReader(open('in.csv'))))",
        input_files: [{ name: 'in.csv', content: 'n\n1\n2\n' }],
      },
    },
    {
      title: 'Count words with a shell script',
      params: {
        language: 'shell',
        code: 'wc -w < notes.txt > count.txt',
        input_files: [{ name: 'notes.txt', content: 'one two three' }],
        timeout: 10,
      },
    },
    {
      title: 'Install a Python package and use it',
      params: { code: 'import humanize\nprint(humanize.intword(1200000))', packages: ['humanize==4.9.0'] },
    },
  ],
  deadline: 'timeout + 30, plus 60 with packages; at most 390',
  timeoutMs: ({ timeout, packages }) => (timeout + 30 + (packages.length > 0 ? 60 : 0)) * 1000,
  work: 'code',
  parts: [
    { title: 'Python', params: { code: 'print(1)' } },
    { title: 'JavaScript', params: { language: 'javascript', code: 'console.log(1)' } },
    { title: 'shell', params: { language: 'shell', code: 'echo 1' } },
  ],
  bodyLimit: 24 * 1024 * 1024,
  check: violations,
})
