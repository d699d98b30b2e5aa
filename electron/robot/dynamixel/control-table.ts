/** Addresses and sizes (bytes) of the registers in use; ROBOTIS e-manual, "XL330-M288 control table" (XC330 equal). */
export const REGISTER = {
  modelNumber: { address: 0, size: 2 },
  firmwareVersion: { address: 6, size: 1 },
  id: { address: 7, size: 1 },
  baudRate: { address: 8, size: 1 },
  returnDelay: { address: 9, size: 1 },
  operatingMode: { address: 11, size: 1 },
  secondaryId: { address: 12, size: 1 },
  protocolType: { address: 13, size: 1 },
  homingOffset: { address: 20, size: 4 },
  movingThreshold: { address: 24, size: 4 },
  temperatureLimit: { address: 31, size: 1 },
  maxVoltageLimit: { address: 32, size: 2 },
  minVoltageLimit: { address: 34, size: 2 },
  pwmLimit: { address: 36, size: 2 },
  currentLimit: { address: 38, size: 2 },
  velocityLimit: { address: 44, size: 4 },
  maxPositionLimit: { address: 48, size: 4 },
  minPositionLimit: { address: 52, size: 4 },
  pwmSlope: { address: 62, size: 1 },
  shutdown: { address: 63, size: 1 },
  torqueEnable: { address: 64, size: 1 },
  led: { address: 65, size: 1 },
  statusReturnLevel: { address: 68, size: 1 },
  hardwareErrorStatus: { address: 70, size: 1 },
  positionDGain: { address: 80, size: 2 },
  positionIGain: { address: 82, size: 2 },
  positionPGain: { address: 84, size: 2 },
  /** Units of 20 ms; 0 is off; reads 255 after it expired. */
  busWatchdog: { address: 98, size: 1 },
  goalPwm: { address: 100, size: 2 },
  goalCurrent: { address: 102, size: 2 },
  goalVelocity: { address: 104, size: 4 },
  profileAcceleration: { address: 108, size: 4 },
  profileVelocity: { address: 112, size: 4 },
  goalPosition: { address: 116, size: 4 },
  moving: { address: 122, size: 1 },
  presentPwm: { address: 124, size: 2 },
  presentCurrent: { address: 126, size: 2 },
  presentVelocity: { address: 128, size: 4 },
  presentPosition: { address: 132, size: 4 },
  presentVoltage: { address: 144, size: 2 },
  presentTemperature: { address: 146, size: 1 },
} as const

/** First address of RAM; everything below is EEPROM and locked while torque is on. */
export const RAM_START = 64
/** One past the last address. */
export const TABLE_END = 228

/** Bits of the hardware error status. */
export const HARDWARE_ERROR = { voltage: 0x01, overheating: 0x04, encoder: 0x08, shock: 0x10, overload: 0x20 } as const
