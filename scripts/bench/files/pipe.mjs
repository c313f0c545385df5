/** A bare server that pipes each request's body into a file of the folder: how fast Node itself takes an upload. Arguments: port, folder. */
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const [port, folder] = process.argv.slice(2)
const path = join(folder, 'piped')
createServer(async (request, response) => {
  await pipeline(request, createWriteStream(path))
  await rm(path)
  response.end()
}).listen(Number(port), '127.0.0.1')
