/**
 * Builds dist with the TypeScript of this repository: `node build.mjs`.
 *
 * The package is small because its code is in it once. `client.js` has neither imports nor exports of modules: CommonJS fills its `exports`, and
 * where it is loaded as a module (browsers without a bundler) it leaves them under a symbol. `index.mjs` hands them on by their names.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const folder = dirname(fileURLToPath(import.meta.url))
const SHARED = "globalThis[Symbol.for('@capstan/client 0.1.0')]"

const scripts = emitted({ declaration: false, removeComments: true })
const declarations = emitted({ declaration: true, emitDeclarationOnly: true, stripInternal: true })
const code = bundled(scripts)
const types = bundled(declarations)

write('client.js', [
  shortened(`((exports) => {
    ${code.text}
    Object.assign(exports, { ${code.names.join(', ')} })
  })(typeof exports === 'object' ? exports : (${SHARED} = {}))`),
])
write('index.mjs', [
  "import * as loaded from './client.js'",
  `const all = loaded.default ?? ${SHARED}`,
  `export const { ${code.names.join(', ')} } = all`,
])
write('client.d.ts', [minimal(parsed('client.d.ts', types.text), typeToken), `export { ${types.names.join(', ')} }`])
write('index.d.mts', ["export * from './client.js'"])
write('package.json', ['{"type":"commonjs"}'])

function write(name, lines) {
  mkdirSync(join(folder, 'dist'), { recursive: true })
  writeFileSync(join(folder, 'dist', name), `${lines.join('\n')}\n`)
}

/** What the compiler makes of each source, those that are imported first. Throws with what it finds wrong. */
function emitted(more) {
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, ...more }, folder)
  const program = ts.createProgram([join(folder, 'src', 'index.ts')], options)
  const found = ts.getPreEmitDiagnostics(program)
  if (found.length > 0) throw new Error(ts.formatDiagnostics(found, { ...ts.sys, getCanonicalFileName: String, getNewLine: () => '\n' }))
  const texts = new Map()
  program.emit(undefined, (name, text) => texts.set(basename(name).replace(/\.(?:d\.ts|js)$/, ''), text))
  const order = program.getSourceFiles().map(({ fileName }) => basename(fileName, '.ts'))
  return order.filter((name) => texts.has(name)).map((name) => parsed(`${name}.ts`, texts.get(name)))
}

/** All statements in one scope, and the names that index exports. Throws for a name that two files declare. */
function bundled(files) {
  const declared = new Map()
  const names = []
  const statements = files.flatMap((file) =>
    file.statements.flatMap((statement) => {
      if (ts.isImportDeclaration(statement)) return []
      if (ts.isExportDeclaration(statement)) {
        for (const { name } of statement.exportClause?.elements ?? []) names.push(name.text)
        return []
      }
      for (const name of namesOf(statement)) {
        if (declared.has(name)) throw new Error(`${name} is declared in ${declared.get(name)} and ${file.fileName}`)
        declared.set(name, file.fileName)
      }
      return [
        statement
          .getFullText()
          .trim()
          .replace(/^((?:\/\*\*.*?\*\/\s*)?)export /s, '$1'),
      ]
    }),
  )
  const missing = names.filter((name) => !declared.has(name))
  if (missing.length > 0) throw new Error(`nothing declares ${missing.join(', ')}`)
  return { text: statements.join('\n'), names }
}

function namesOf(statement) {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText())
  return statement.name === undefined ? [] : [statement.name.text]
}

/** Fields of results are written by nobody, with `readonly` or without it. */
function typeToken(node) {
  const isModifier = node.kind === ts.SyntaxKind.ReadonlyKeyword && !ts.isTypeOperatorNode(node.parent)
  return isModifier ? '' : node.getText()
}

/** The tokens without the spaces that they do not need, each top-level statement and each description on lines of its own. */
function minimal(file, textOf) {
  const isDeclaration = file.fileName.endsWith('.d.ts')
  let out = ''
  const visit = (node) => {
    const parts = ts.isJSDoc(node) ? [] : node.getChildren(file)
    if (
      node.parent === file ||
      (node.parent?.parent === file && parts.length > 0 && !ts.isToken(node) && node.kind === ts.SyntaxKind.SyntaxList)
    )
      out += '\n'
    if (parts.length > 0) return parts.forEach(visit)
    const token = textOf(node)
    const sticks = /[\w$#]$/.test(out) && /^[\w$#]/.test(token)
    const confuses = /[+\-/]$/.test(out) && /^[+\-/]/.test(token)
    if (token === '}' && isDeclaration) out = out.replace(/;$/, '')
    if (ts.isJSDoc(node)) out += `\n${token.replace(/\s+/g, ' ')}\n`
    else out += (sticks || confuses ? ' ' : '') + token
  }
  visit(file)
  return out.replace(/\n+/g, '\n').trim()
}

/**
 * The code with short names for its variables, parameters, functions and private members. Classes keep their names, which errors show. Every new
 * name is used once, whatever its scope.
 */
function shortened(text) {
  const file = parsed('client.js', text)
  const host = { ...ts.createCompilerHost({}), getSourceFile: (name) => (name === file.fileName ? file : undefined) }
  const options = { allowJs: true, noLib: true, noResolve: true, target: ts.ScriptTarget.ES2022 }
  const checker = ts.createProgram([file.fileName], options, host).getTypeChecker()
  const used = new Set([...text.match(/[A-Za-z_$][\w$]*/g), 'as', 'do', 'if', 'in', 'is', 'of'])
  const names = new Map()
  let next = 0
  const nameOf = (key) => {
    while (!names.has(key)) {
      const name = letters(next++)
      if (!used.has(name)) names.set(key, name)
    }
    return names.get(key)
  }
  const isLocal = (symbol) =>
    (symbol?.declarations ?? []).some(
      (at) => ts.isVariableDeclaration(at) || ts.isBindingElement(at) || ts.isParameter(at) || ts.isFunctionDeclaration(at),
    )
  const shortOf = (node) => {
    if (ts.isPrivateIdentifier(node)) return `#${nameOf(node.text)}`
    if (node.kind === ts.SyntaxKind.ConstKeyword) return 'let'
    if (!ts.isIdentifier(node)) return node.getText(file)
    if (node.text === 'undefined') return 'void 0'
    const { parent } = node
    const isShorthand = ts.isShorthandPropertyAssignment(parent) && parent.name === node
    const symbol = isShorthand ? checker.getShorthandAssignmentValueSymbol(parent) : checker.getSymbolAtLocation(node)
    if (!isLocal(symbol) || (ts.isBindingElement(parent) && parent.propertyName === node)) return node.text
    const isTaken = ts.isBindingElement(parent) && parent.name === node && parent.propertyName === undefined
    const isField = isTaken && ts.isObjectBindingPattern(parent.parent) && parent.dotDotDotToken === undefined
    return isShorthand || isField ? `${node.text}:${nameOf(symbol)}` : nameOf(symbol)
  }
  // Makes bundlers for browsers skip the one import that only runs where there is a file system.
  return minimal(file, shortOf).replace(/import\((\w+)\)/, 'import(/* webpackIgnore: true *//* @vite-ignore */$1)')
}

function parsed(name, text) {
  return ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true)
}

/** a, b … Z, aa, ab … */
function letters(number) {
  const all = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
  return number < all.length ? all[number] : letters(Math.floor(number / all.length) - 1) + all[number % all.length]
}
