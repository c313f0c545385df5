#!/usr/bin/env node
/** The `capstan` command: installs and builds where needed, then runs the command line. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, prepare } from './prepare.mjs'

const built = await prepare().catch(fail)
process.setSourceMapsEnabled(true)
await import(pathToFileURL(join(built, 'core', 'cli', 'main.js')).href)
