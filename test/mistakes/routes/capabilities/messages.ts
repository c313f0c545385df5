import { body, operation, refused } from '../attempt.js'

const text = (more: object): unknown => ({ to: '+491711234567', message: 'Your table is free.', ...more })

/** Messages to telephones. */
export const messageMistakes = operation(
  'POST /v1/messages/send',
  body({}, 'to', 'message', 'required'),
  body({ phone: '+491711234567', text: 'Hello' }, 'phone', 'text', 'to', 'message'),
  body(text({ to: '0171 1234567' }), 'to', 'E.164', '+491711234567'),
  body(text({ to: '00491711234567' }), 'to', 'did you mean +491711234567?'),
  body(text({ to: '+49 (171) 123-4567' }), 'to', 'did you mean +491711234567?'),
  body(text({ to: ['+491711234567'] }), 'to', 'a text'),
  body(text({ to: '+15551234567' }), 'to', 'in no range'),
  body(text({ message: ' ' }), 'message', 'blank'),
  body(text({ message: 'a'.repeat(1_601) }), 'message', '1600'),
  body(text({ channel: 'sms' }), 'channel', 'auto', 'whatsapp'),
  body(text({ from: '+15005550102' }), 'from', 'from_number'),
  refused(404, { path: '/v1/sms/send', body: text({}) }, 'GET /v1/openapi.json'),
)
