import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { mongo } from 'mongoose'
import { WireReader, type WireMessage } from '../support/mongodb-wire.js'

/** Opcodes of the wire protocol; a driver's first greeting is an OP_QUERY. */
const OP_REPLY = 1
const OP_QUERY = 2004
const OP_MSG = 2013

/** What a MongoDB 7 says of itself, as far as the driver reads it. */
const greeting = (): mongo.BSON.Document => ({
  ok: 1,
  helloOk: true,
  ismaster: true,
  isWritablePrimary: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  localTime: new Date(),
  logicalSessionTimeoutMinutes: 30,
  connectionId: 1,
  minWireVersion: 0,
  maxWireVersion: 21,
  readOnly: false,
})
const REFUSAL = { ok: 0, errmsg: 'Authentication failed.', code: 18, codeName: 'AuthenticationFailed' }

/** A server that greets and then refuses every user, as MongoDB does (error 18). Listens on any free port unless one is named. */
export async function refusingMongo(port = 0): Promise<{ port: number; close: () => Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const reader = new WireReader()
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    socket.on('data', (piece: Buffer) => {
      for (const message of reader.read(piece)) socket.write(reply(message))
    })
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function reply({ id, bytes, command }: WireMessage): Buffer {
  const legacy = bytes.readInt32LE(12) === OP_QUERY
  const greets = legacy || command === null || ['hello', 'ismaster', 'isMaster', 'ping', 'endSessions'].includes(command.name)
  const document = Buffer.from(mongo.BSON.serialize(greets ? greeting() : REFUSAL))
  // OP_REPLY: flags, cursor, first, count. OP_MSG: flags and the kind of the one section.
  const middle = legacy ? Buffer.alloc(20) : Buffer.alloc(5)
  if (legacy) middle.writeInt32LE(1, 16)
  const head = Buffer.alloc(16)
  head.writeInt32LE(head.length + middle.length + document.length, 0)
  head.writeInt32LE(id, 8)
  head.writeInt32LE(legacy ? OP_REPLY : OP_MSG, 12)
  return Buffer.concat([head, middle, document])
}
