package dev.leasehold.internal.key;

import java.nio.charset.StandardCharsets;

/** Computes the slot of a key or a sharded channel, as Redis Cluster specifies it: CRC-16 (XMODEM) of its hash tag. */
public final class Slots {

    /** The number of slots of a cluster. */
    public static final int COUNT = 16_384;

    private static final int POLYNOMIAL = 0x1021;
    private static final int[] TABLE = table();

    private Slots() {}

    /** Returns the slot: that of what the first braces contain, or of the whole key if there are none or they are empty. */
    public static int of(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open);
        String tag = close > open + 1 ? key.substring(open + 1, close) : key;
        int crc = 0;
        for (byte b : tag.getBytes(StandardCharsets.UTF_8)) {
            crc = crc << 8 ^ TABLE[(crc >> 8 ^ b) & 0xff];
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
