package dev.leasehold.testkit;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The few elements of DER (ITU-T X.690) that a certificate consists of. */
final class Der {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int UTC_TIME_ENDS = 2050;

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return tagged(0x30, concat(parts));
    }

    static byte[] set(byte[]... parts) {
        return tagged(0x31, concat(parts));
    }

    static byte[] integer(BigInteger value) {
        return tagged(0x02, value.toByteArray());
    }

    static byte[] bool(boolean value) {
        return tagged(0x01, new byte[] {(byte) (value ? 0xff : 0)});
    }

    static byte[] utf8(String text) {
        return tagged(0x0c, text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] octets(byte[] content) {
        return tagged(0x04, content);
    }

    static byte[] bits(int unused, byte... content) {
        return tagged(0x03, concat(new byte[] {(byte) unused}, content));
    }

    /** Encodes a time as UTCTime, or from 2050 on as GeneralizedTime, as RFC 5280 requires. */
    static byte[] time(Instant instant) {
        String text = TIME.format(instant);
        boolean utc = instant.atZone(ZoneOffset.UTC).getYear() < UTC_TIME_ENDS;
        return tagged(utc ? 0x17 : 0x18, text.substring(utc ? 2 : 0).getBytes(StandardCharsets.US_ASCII));
    }

    /** Encodes an object identifier from its dotted form. */
    static byte[] oid(String dotted) {
        String[] arcs = dotted.split("\\.", -1);
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.write(Integer.parseInt(arcs[0]) * 40 + Integer.parseInt(arcs[1]));
        for (int i = 2; i < arcs.length; i++) {
            int arc = Integer.parseInt(arcs[i]);
            int groups = Math.max(1, (32 - Integer.numberOfLeadingZeros(arc) + 6) / 7);
            for (int g = groups - 1; g >= 0; g--) {
                content.write(((arc >>> (7 * g)) & 0x7f) | (g > 0 ? 0x80 : 0));
            }
        }
        return tagged(0x06, content.toByteArray());
    }

    static byte[] tagged(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        int length = content.length;
        if (length < 0x80) {
            out.write(length);
        } else if (length < 0x100) {
            out.write(0x81);
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >>> 8);
            out.write(length);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
