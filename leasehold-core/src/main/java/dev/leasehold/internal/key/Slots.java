package dev.leasehold.internal.key;

/** Computes the cluster slot of a key: CRC-16 (XMODEM) of its hash tag. */
final class Slots {

    static final int COUNT = 16_384;
    private static final int POLYNOMIAL = 0x1021;
    private static final int[] TABLE = table();

    private Slots() {}

    /** Returns the slot of an ASCII key that has one pair of non-empty braces. */
    static int of(String key) {
        int crc = 0;
        int end = key.indexOf('}');
        for (int i = key.indexOf('{') + 1; i < end; i++) {
            crc = crc << 8 ^ TABLE[(crc >> 8 ^ key.charAt(i)) & 0xff];
        }
        return crc & COUNT - 1;
    }

    private static int[] table() {
        int[] table = new int[256];
        for (int n = 0; n < table.length; n++) {
            int crc = n << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ POLYNOMIAL;
            }
            table[n] = crc & 0xffff;
        }
        return table;
    }
}
