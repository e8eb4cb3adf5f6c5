# SPDX-License-Identifier: Apache-2.0
# Arty A7-100T, XC7A100T in CSG324. Pins: https://github.com/Digilent/digilent-xdc, Arty-A7-100-Master.xdc

set_property -dict {PACKAGE_PIN E3  IOSTANDARD LVCMOS33} [get_ports {clk100}]
create_clock -name clk100 -period 10.0 [get_ports {clk100}]

set_property -dict {PACKAGE_PIN C2  IOSTANDARD LVCMOS33} [get_ports {ck_rst_n}]

set_property -dict {PACKAGE_PIN A9  IOSTANDARD LVCMOS33} [get_ports {uart_txd_in}]
set_property -dict {PACKAGE_PIN D10 IOSTANDARD LVCMOS33} [get_ports {uart_rxd_out}]

set_property -dict {PACKAGE_PIN H5  IOSTANDARD LVCMOS33} [get_ports {led[0]}]
set_property -dict {PACKAGE_PIN J5  IOSTANDARD LVCMOS33} [get_ports {led[1]}]
set_property -dict {PACKAGE_PIN T9  IOSTANDARD LVCMOS33} [get_ports {led[2]}]
set_property -dict {PACKAGE_PIN T10 IOSTANDARD LVCMOS33} [get_ports {led[3]}]

# Asynchronous: button and line
set_false_path -from [get_ports {ck_rst_n}]
set_false_path -from [get_ports {uart_txd_in}]
set_false_path -to [get_ports {uart_rxd_out}]
set_false_path -to [get_ports {led[*]}]

set_property CFGBVS VCCO [current_design]
set_property CONFIG_VOLTAGE 3.3 [current_design]
