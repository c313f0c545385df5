import { expect } from 'chai'
import type { Fault, Vendor } from '../../core/sdk/index.js'
import { messagebird } from '../_vendors/messagebird.js'
import { plivo } from '../_vendors/plivo.js'
import { telnyx } from '../_vendors/telnyx.js'
import { twilio } from '../_vendors/twilio.js'
import { vonage } from '../_vendors/vonage.js'
import { whatsappCloud } from '../_vendors/whatsapp-cloud.js'

const faultOf = (vendor: Vendor, status: number, body: unknown): Fault | undefined => vendor.fault?.({ status, headers: {}, body })
const VENDORS: readonly Vendor[] = [twilio, telnyx, vonage, messagebird, plivo, whatsappCloud]

/** Behaviour of Faults that fixtures cannot show: whether another vendor is called. */
describe('refusals of vendors of messages', () => {
  const unknown: readonly (readonly [string, Vendor, number, unknown])[] = [
    ['Telnyx did not finish in time', telnyx, 408, { errors: [{ code: '10008' }] }],
    ['Vonage lost the network', vonage, 422, { type: 'https://developer.vonage.com/api-errors/messages#1100' }],
    ['Bird has had the message', messagebird, 409, { error: { type: 'idempotency_error' } }],
    ['WhatsApp failed without a reason', whatsappCloud, 400, { error: { code: 131000 } }],
    ['WhatsApp failed without a reason, by code 1', whatsappCloud, 400, { error: { code: 1 } }],
  ]
  for (const [name, vendor, status, body] of unknown)
    it(`${name}: the outcome is unknown, and no other vendor is called`, () => {
      expect(faultOf(vendor, status, body)).to.deep.include({ ambiguous: true })
    })

  const final: readonly (readonly [string, Vendor, number, unknown])[] = [
    ['Twilio: no valid number', twilio, 400, { code: 21211 }],
    ['Twilio: a landline', twilio, 400, { code: 21614 }],
    ['Twilio: opted out', twilio, 400, { code: 21610 }],
    ['Telnyx: no valid number', telnyx, 422, { errors: [{ code: '10002', source: { parameter: 'to' } }] }],
    ['Vonage: a barred number', vonage, 422, { type: 'https://developer.vonage.com/api-errors/messages#1050' }],
    ['Plivo: an invalid number', plivo, 202, { message_uuid: [], invalid_number: ['491711234567'] }],
    ['Bird: an invalid number', messagebird, 422, { errors: [{ code: 9, parameter: 'recipients' }] }],
    ['WhatsApp: a recipient without WhatsApp', whatsappCloud, 400, { error: { code: 131026 } }],
  ]
  for (const [name, vendor, status, body] of final)
    it(`${name}: no other vendor is called`, () => {
      expect(faultOf(vendor, status, body)).to.deep.include({ kind: 'invalid', final: true, ambiguous: false, loc: ['to'] })
    })

  const next: readonly (readonly [string, Vendor, number, unknown, string])[] = [
    ['Twilio: a region', twilio, 400, { code: 21408 }, 'to'],
    ['Twilio: a sender', twilio, 400, { code: 21606 }, 'from_number'],
    ['Telnyx: a sender', telnyx, 422, { errors: [{ code: '10002', source: { pointer: '/from' } }] }, 'from_number'],
    ['Vonage: a list', vonage, 422, { type: 'https://developer.vonage.com/api-errors/messages#1160' }, 'to'],
    ['Plivo: a country', plivo, 403, { error: 'geo permission' }, 'to'],
    ['WhatsApp: the window of 24 hours', whatsappCloud, 400, { error: { code: 131047 } }, 'to'],
  ]
  for (const [name, vendor, status, body, field] of next)
    it(`${name}: the next vendor is called, since another account may be allowed to send it`, () => {
      expect(faultOf(vendor, status, body)).to.deep.include({ kind: 'invalid', final: false, ambiguous: false, loc: [field] })
    })

  it('a server error without a clear reason is left to its status, which makes 500, 502 and 504 unknown outcomes', () => {
    for (const vendor of VENDORS)
      for (const status of [500, 502, 504])
        for (const body of [{}, '', null, '<html>', [], { error: {} }]) expect(faultOf(vendor, status, body)).to.equal(undefined)
  })

  it('a reply that has taken the message is no fault, whatever other fields it has', () => {
    for (const vendor of VENDORS)
      for (const body of [
        { sid: 'SM1', status: 'queued' },
        { data: { id: '1', to: [{ status: 'queued' }] } },
        { message_uuid: ['1'] },
        { id: '1' },
      ])
        expect(faultOf(vendor, 201, body)).to.equal(undefined)
  })
})
