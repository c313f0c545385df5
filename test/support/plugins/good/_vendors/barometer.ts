import { Type, or, vendor } from '../../../../../core/sdk/index.js'

export const barometer = vendor({
  id: 'barometer',
  title: 'Barometer',
  programs: { barometer: 'barometer-tools' },
  settings: Type.Object({ unit: or(Type.String({ description: 'Unit of pressure.' }), 'hPa') }),
})
