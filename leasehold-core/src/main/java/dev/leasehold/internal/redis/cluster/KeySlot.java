package dev.leasehold.internal.redis.cluster;

import java.nio.charset.StandardCharsets;

/** The slot of a key or a sharded channel, as in the specification of Redis Cluster: CRC16 (XMODEM) of its hash tag. */
final class KeySlot {

    private static final int POLYNOMIAL = 0x1021;
    private static final int[] TABLE = table();

    private KeySlot() {}

    private static int[] table() {
        int[] table = new int[1 << Byte.SIZE];
        for (int i = 0; i < table.length; i++) {
            int crc = i << Byte.SIZE;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL;
            }
            table[i] = crc & 0xFFFF;
        }
        return table;
    }

    static int of(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open);
        String tag = close > open + 1 ? key.substring(open + 1, close) : key;
        int crc = 0;
        for (byte b : tag.getBytes(StandardCharsets.UTF_8)) {
            crc = (crc << Byte.SIZE & 0xFFFF) ^ TABLE[(crc >> Byte.SIZE ^ b) & 0xFF];
        }
        return crc % ClusterView.SLOTS;
    }
}
