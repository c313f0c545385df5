#!/usr/bin/env node
/** The `capstan` command: installs and builds where needed, then runs the command line. */
import { commandLine, fail, prepare } from './prepare.mjs'

// Authors of plugins want errors for wrong types, and their editors read the declarations.
const checked = process.argv.slice(2).some((word) => word === 'plugin' || word === 'provider')
const built = await prepare({ checked }).catch(fail)
await commandLine(built)
