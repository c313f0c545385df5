/** Renews the tables in the README of plugins/sites from the data they print: weights of the security grade, and categories of technologies. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { prepare } from './prepare.mjs'

const built = await prepare()
const { siteTables, withTables } = await import(pathToFileURL(join(built, 'plugins', 'sites', 'tables.js')).href)
const readme = join(import.meta.dirname, '..', 'plugins', 'sites', 'README.md')
writeFileSync(readme, withTables(readFileSync(readme, 'utf8'), siteTables()))
