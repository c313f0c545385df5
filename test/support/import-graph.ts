import { dirname, join } from 'node:path/posix'
import ts from 'typescript'

/** An import of one file of the tree by another, with its line; paths below the root. */
export interface Import {
  readonly from: string
  readonly to: string
  readonly line: number
  /** Types alone: nothing of it is left when the program runs. */
  readonly typeOnly: boolean
}

/** What a source file declares and imports. */
export interface Source {
  readonly path: string
  readonly lines: readonly string[]
  readonly imports: readonly Import[]
  /** Names of its interfaces, type aliases, classes and enums. */
  readonly types: readonly string[]
}

/** Parses TypeScript files, texts by path below the root. Imports of packages and of files that are not among them are left out. */
export function parseSources(texts: ReadonlyMap<string, string>): Source[] {
  return [...texts].map(([path, text]) => parseSource(path, text, texts))
}

function parseSource(path: string, text: string, known: { has(path: string): boolean }): Source {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const imports: Import[] = []
  const types: string[] = []
  const add = (specifier: ts.Node | undefined, typeOnly: boolean, at: ts.Node): void => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier) || !specifier.text.startsWith('.')) return
    const to = join(dirname(path), specifier.text).replace(/\.(c?)js$/, '.$1ts')
    const line = file.getLineAndCharacterOfPosition(at.getStart(file)).line + 1
    if (known.has(to)) imports.push({ from: path, to, line, typeOnly })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, importsTypes(node), node)
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly, node)
    else if (ts.isImportTypeNode(node)) add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, true, node)
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false, node)
    ts.forEachChild(node, visit)
  }
  visit(file)
  for (const node of file.statements)
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node)) types.push(node.name.text)
    else if (ts.isClassDeclaration(node) && node.name !== undefined) types.push(node.name.text)
  return { path, lines: text.replace(/\n$/, '').split('\n'), imports, types }
}

function importsTypes({ importClause: clause }: ts.ImportDeclaration): boolean {
  if (clause === undefined) return false
  if (clause.isTypeOnly) return true
  const { name, namedBindings: bindings } = clause
  return name === undefined && bindings !== undefined && ts.isNamedImports(bindings) && bindings.elements.every((one) => one.isTypeOnly)
}

/** Groups of nodes of which each reaches each other (strongly connected components by Tarjan), those of two and more. */
export function circles(arrows: Iterable<readonly [from: string, to: string]>): string[][] {
  const next = new Map<string, Set<string>>()
  for (const [from, to] of arrows) {
    next.set(from, (next.get(from) ?? new Set()).add(to))
    if (!next.has(to)) next.set(to, new Set())
  }
  const found: string[][] = []
  const stack: string[] = []
  const index = new Map<string, number>()
  const enter = (node: string): number => {
    let lowest = index.size
    index.set(node, lowest)
    stack.push(node)
    for (const other of next.get(node) ?? []) {
      if (!index.has(other)) lowest = Math.min(lowest, enter(other))
      else if (stack.includes(other)) lowest = Math.min(lowest, index.get(other) ?? lowest)
    }
    if (lowest === index.get(node)) {
      const circle = stack.splice(stack.indexOf(node))
      if (circle.length > 1) found.push(circle.sort())
    }
    return lowest
  }
  for (const node of next.keys()) if (!index.has(node)) enter(node)
  return found
}
