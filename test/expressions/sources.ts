import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'

/** A regular expression as the sources have it. */
export interface Found {
  /** Relative to the folder of the package. */
  readonly file: string
  readonly line: number
  readonly source: string
  readonly flags: string
}

/** An expression whose source is known at run time alone. */
export interface Made {
  readonly file: string
  readonly line: number
  /** The call of the constructor, with each run of white space as one space. */
  readonly call: string
}

export interface Sources {
  readonly files: readonly string[]
  readonly found: readonly Found[]
  readonly made: readonly Made[]
}

/** What the gateway's own thread loads: `serve`, the SDK, and of a plugin what `core/loader/find.ts` imports. */
export function entries(root: string): string[] {
  const plugins = readdirSync(join(root, 'plugins'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const members = plugins.flatMap(({ name }) => ['index.ts', 'contract.ts', 'handler.ts'].map((file) => join('plugins', name, file)))
  const providers = plugins.flatMap(({ name }) => modulesBelow(root, join('plugins', name, 'providers')))
  return ['core/main.ts', 'core/sdk/index.ts', ...members.filter((file) => existsSync(join(root, file))), ...providers]
}

function modulesBelow(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return []
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts')).map((name) => join(folder, name))
}

/** Every expression of the files and of the modules they import, statically or not. A file that only another thread or process loads is in none of these. */
export function expressionsOf(root: string, files: readonly string[]): Sources {
  const found: Found[] = []
  const made: Made[] = []
  const seen = new Set(files)
  for (const file of seen) {
    const module = new Module(root, file)
    found.push(...module.found)
    made.push(...module.made)
    for (const imported of module.imports) seen.add(imported)
  }
  return { files: [...seen], found, made }
}

/** One source file. Keeps what it found in lists, in the order of the text. */
class Module {
  readonly found: Found[] = []
  readonly made: Made[] = []
  readonly imports: string[] = []
  readonly #root: string
  readonly #file: string
  readonly #tree: ts.SourceFile
  readonly #texts = new Map<string, ts.Expression>()

  constructor(root: string, file: string) {
    this.#root = root
    this.#file = file
    this.#tree = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.ES2022, false)
    for (const statement of this.#tree.statements) if (ts.isVariableStatement(statement)) this.#keepConstants(statement)
    this.#visit(this.#tree)
  }

  #keepConstants({ declarationList }: ts.VariableStatement): void {
    for (const { name, initializer } of declarationList.declarations)
      if (ts.isIdentifier(name) && initializer !== undefined) this.#texts.set(name.text, initializer)
  }

  #visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node) && node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword) this.#import(node.moduleSpecifier)
    if (ts.isExportDeclaration(node) && !node.isTypeOnly) this.#import(node.moduleSpecifier)
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) this.#import(node.arguments[0])
    if (ts.isRegularExpressionLiteral(node)) this.#add(node, split(node.text))
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && isNamed(node.expression, 'RegExp')) this.#construct(node)
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text === 'pattern') this.#schemaPattern(node.initializer)
    ts.forEachChild(node, (child) => this.#visit(child))
  }

  #import(specifier: ts.Node | undefined): void {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier) || !specifier.text.startsWith('.')) return
    const path = join(this.#root, dirname(this.#file), specifier.text.replace(/\.js$/, '.ts'))
    if (existsSync(path)) this.imports.push(relative(this.#root, path))
  }

  /** Patterns of schemas are expressions too (JSON Schema 2020-12 validation, 6.3.3), which Ajv compiles with the flag u. */
  #schemaPattern(value: ts.Expression): void {
    if (ts.isStringLiteralLike(value)) this.#add(value, { source: value.text, flags: 'u' })
  }

  #construct(node: ts.NewExpression | ts.CallExpression): void {
    const [pattern, flags] = node.arguments ?? []
    const source = pattern === undefined ? null : this.#text(pattern)
    const given = flags === undefined ? this.#flags(pattern) : this.#text(flags)
    if (source !== null && given !== null) this.#add(node, { source, flags: given })
    else this.made.push({ file: this.#file, line: this.#line(node), call: node.getText(this.#tree).replace(/\s+/g, ' ') })
  }

  /** Those of the expression that is copied; none for a text. */
  #flags(pattern: ts.Expression | undefined): string {
    const value = pattern !== undefined && ts.isIdentifier(pattern) ? this.#texts.get(pattern.text) : pattern
    return value !== undefined && ts.isRegularExpressionLiteral(value) ? split(value.text).flags : ''
  }

  /** A text that is written out, constants of the module included; null for any other. */
  #text(node: ts.Expression): string | null {
    if (ts.isStringLiteralLike(node)) return node.text
    if (ts.isRegularExpressionLiteral(node)) return split(node.text).source
    if (ts.isIdentifier(node)) {
      const value = this.#texts.get(node.text)
      return value === undefined ? null : this.#text(value)
    }
    if (!ts.isTemplateExpression(node)) return null
    let text = node.head.text
    for (const { expression, literal } of node.templateSpans) {
      const part = this.#text(expression)
      if (part === null) return null
      text += part + literal.text
    }
    return text
  }

  #add(node: ts.Node, { source, flags }: { readonly source: string; readonly flags: string }): void {
    this.found.push({ file: this.#file, line: this.#line(node), source, flags })
  }

  #line(node: ts.Node): number {
    return this.#tree.getLineAndCharacterOfPosition(node.getStart(this.#tree)).line + 1
  }
}

function isNamed(node: ts.Expression, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name
}

function split(literal: string): { source: string; flags: string } {
  const end = literal.lastIndexOf('/')
  return { source: literal.slice(1, end), flags: literal.slice(end + 1) }
}
